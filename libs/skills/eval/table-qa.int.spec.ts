import type { Claim, Evidence } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { offlineSkills } from '../offline'
import { call, hasData, passagesOf, rowsOf, skippedWithout, tell } from './data'
import { isRight, wrongIn, type TableQuestion } from './table-score'

type Outcome = { row: TableQuestion; text: string; claims: Claim[]; right: boolean[]; wrong: string[]; rated: string[] }

const ask = async (
  question: string,
  passages: Evidence[],
): Promise<{ text: string; claims: Claim[]; rated: string[] }> => {
  const grades = await Promise.all(
    passages.map((passage) => offlineSkills.gradeEvidence({ question, passage, strictness: 'normal' }, call)),
  )
  const evidence = passages.filter((_, at) => grades[at]?.relevant)
  const steps = [{ question, passageIds: evidence.map(({ id }) => id) }]
  const { text, citations } = await offlineSkills.answer({ question, steps, evidence, maxSentences: 8 }, call)
  const claims = await offlineSkills.checkClaims({ question, text, citations, evidence }, call)
  const { parts } = await offlineSkills.rateUsefulness({ question, steps: [question], text, claims, evidence }, call)
  return { text, claims, rated: parts.map(({ outcome }) => outcome) }
}

describe.skipIf(!hasData)(skippedWithout('questions over tables, without a model'), () => {
  const passages = hasData
    ? passagesOf('table_qa/docs/google-cloud-region-carbon.md', 'Cloud region carbon and efficiency tables').map(
        (passage): Evidence => ({ ...passage, scores: {} }),
      )
    : []
  const rows = hasData
    ? rowsOf<TableQuestion>('table_qa/questions.jsonl').filter(({ doc }) =>
        doc.startsWith('google-cloud-region-carbon'),
      )
    : []
  const outcomes = (): Promise<Outcome[]> =>
    Promise.all(
      rows.map(async (row) => {
        const answered = await ask(row.question, passages)
        return {
          row,
          ...answered,
          right: row.parts.map((part) => isRight(answered.text, part)),
          wrong: wrongIn(answered.text, row),
        }
      }),
    )

  it('has every part right in nine of ten questions and states no wrong figure that its check lets pass', async () => {
    const all = await outcomes()
    const whole = all.filter(({ right }) => right.every(Boolean))
    const parts = all.flatMap(({ right }) => right)
    const missing = all
      .flatMap(({ row, right }) => row.parts.map((part, at) => ({ part, right: right[at] })))
      .filter(({ part }) => part.value === null)
    const passed = all.filter(({ claims }) => claims.every(({ verdict }) => verdict === 'supported'))
    const wrong = passed.filter((outcome) => outcome.wrong.length > 0)
    tell(
      `table questions: ${whole.length}/${all.length} whole, ${parts.filter(Boolean).length}/${parts.length} parts, ${missing.filter(({ right }) => right).length}/${missing.length} not reported, ${wrong.length} wrong figures let pass, ${all.length - passed.length} held`,
    )
    for (const { row, text } of all.filter(({ right }) => !right.every(Boolean)))
      tell(`  not whole: ${row.question}\n    ${text}`)
    for (const outcome of wrong) tell(`  wrong: ${outcome.row.question}\n    ${outcome.wrong.join('\n    ')}`)
    const rated = all.flatMap(({ row, rated: outcomesOf }) =>
      row.parts.map((part, at) => outcomesOf[at] === (part.value === null ? 'not-in-documents' : 'answered')),
    )
    tell(`  parts rated as they are: ${rated.filter(Boolean).length}/${rated.length}`)
    expect(whole.length / all.length).toBeGreaterThanOrEqual(0.9)
    expect(wrong).toEqual([])
    expect(rated.filter(Boolean).length / rated.length).toBeGreaterThanOrEqual(0.9)
  }, 60_000)

  it('answers three parts of one question, one of them with what is not reported', async () => {
    const row = rows.find(({ parts }) => parts.length === 3 && parts.some(({ value }) => value === null))
    const { text, claims } = await ask(row?.question ?? '', passages)
    for (const part of row?.parts ?? []) expect(isRight(text, part), `${part.what}: ${text}`).toBe(true)
    expect(claims.map(({ verdict }) => verdict)).toEqual(['supported', 'supported', 'supported'])
  })
})
