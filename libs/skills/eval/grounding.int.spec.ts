import type { Claim } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { offlineSkills } from '../offline'
import { asEvidence, auc, call, hasData, rowsOf, skippedWithout, tell } from './data'

type Grounding = { question: string; context: string; answer: string; grounded: boolean; kind: string }
type Relevance = { question: string; document: string; relevant: boolean }
type Useful = { question: string; answer: string; useful: boolean; kind: string }

const checked = async ({ question, context, answer }: Grounding): Promise<number> => {
  const [caption = '', ...rest] = context.split('\n')
  const isTable = /^\s*\|/m.test(context)
  const evidence = [asEvidence(isTable ? { headingPath: [caption], text: rest.join('\n') } : { text: context })]
  const text = answer.replace(/[.?!]?\s*$/, ' [1].')
  const claims = await offlineSkills.checkClaims({ question, text, citations: [{ n: 1, passageId: 'p1' }], evidence }, call)
  const counting = claims.filter(({ kind }: Claim) => kind !== 'style')
  return counting.filter(({ verdict }) => verdict === 'supported').length / Math.max(1, counting.length)
}

const split = <T>(rows: T[], scores: number[], good: (row: T) => boolean): [number[], number[]] => [
  scores.filter((_, at) => good(rows[at]!)),
  scores.filter((_, at) => !good(rows[at]!)),
]
const right = (good: number[], bad: number[]): number =>
  (good.filter((score) => score === 1).length + bad.filter((score) => score < 1).length) / (good.length + bad.length)

describe.skipIf(!hasData)(skippedWithout('skills over evidence, without a model'), () => {
  it('tells a figure from its neighbours in a table', async () => {
    const rows = rowsOf<Grounding>('grounding/numeric_tables.jsonl')
    const [good, bad] = split(rows, await Promise.all(rows.map(checked)), ({ grounded }) => grounded)
    tell(
      `figures in tables: ${rows.length} claims, ${(100 * right(good, bad)).toFixed(1)} % judged right, AUC ${auc(good, bad).toFixed(3)} (word overlap 0.442)`,
    )
    expect(right(good, bad)).toBeGreaterThanOrEqual(0.95)
  }, 60_000)

  it('tells sentences that stand from invented ones', async () => {
    const rows = rowsOf<Grounding>('grounding/halueval_qa.jsonl')
    const scores = await Promise.all(rows.map(checked))
    const [good, bad] = split(rows, scores, ({ grounded }) => grounded)
    const kinds = [...new Set(rows.map(({ kind }) => kind))].map(
      (kind) =>
        `${kind} ${scores.filter((score, at) => rows[at]?.kind === kind && score === 1).length}/${rows.filter((row) => row.kind === kind).length} pass`,
    )
    tell(
      `sentences: ${rows.length} answers, ${(100 * right(good, bad)).toFixed(1)} % judged right, AUC ${auc(good, bad).toFixed(3)}; ${kinds.join(', ')}`,
    )
    expect(right(good, bad)).toBeGreaterThanOrEqual(0.88)
  }, 120_000)

  it('tells passages that bear on a question from those beside it', async () => {
    const rows = rowsOf<Relevance>('grounding/doc_relevance.jsonl')
    const grades = await Promise.all(
      rows.map(({ question, document }) => {
        const [title = '', ...text] = document.split('\n')
        return offlineSkills.gradeEvidence(
          { question, passage: asEvidence({ title, headingPath: [title], text: text.join('\n') }), strictness: 'normal' },
          call,
        )
      }),
    )
    const scores = grades.map(({ relevant, level, confidence }) =>
      relevant ? { low: 1, medium: 2, high: 3 }[level] + confidence / 2 : -confidence,
    )
    const [good, bad] = split(rows, scores, ({ relevant }) => relevant)
    const kept = [good, bad].map((some) => (100 * some.filter((score) => score > 0).length) / some.length)
    tell(
      `passages: ${rows.length}, AUC ${auc(good, bad).toFixed(3)} (word overlap 0.666), kept ${kept[0]?.toFixed(0)} % of the relevant, ${kept[1]?.toFixed(0)} % of the others`,
    )
    expect(auc(good, bad)).toBeGreaterThanOrEqual(0.75)
  }, 60_000)

  it('tells an answer from a refusal and from the answer to another question', async () => {
    const rows = rowsOf<Useful>('grounding/answer_usefulness.jsonl')
    const rated = await Promise.all(
      rows.map(({ question, answer }) =>
        offlineSkills.rateUsefulness({ question, steps: [question], text: answer, claims: [], evidence: [] }, call),
      ),
    )
    const scores = rated.map(({ usefulness }) => usefulness)
    const [good, bad] = split(rows, scores, ({ useful }) => useful)
    const refusals = scores.filter((_, at) => rows[at]?.kind === 'refusal')
    tell(
      `usefulness: ${rows.length}, AUC ${auc(good, bad).toFixed(3)}; refusals rated 2 or less: ${refusals.filter((score) => score <= 2).length}/${refusals.length}`,
    )
    expect(auc(good, bad)).toBeGreaterThanOrEqual(0.75)
    expect(refusals.every((score) => score <= 2)).toBe(true)
  }, 60_000)
})
