import type { Claim } from '@plumbline/contracts'
import { offlineSkills } from '../offline'
import { asEvidence, call, describedBy, hasSet, rowsOf } from './data'
import type { figures, Judged } from './judged'

export type Measure = {
  name: string
  set: string
  figure: keyof typeof figures
  /** What must be reached; null where a figure is only watched. */
  floor: number | null
  judge: () => Promise<Judged[]>
}

type Grounding = { question: string; context: string; answer: string; grounded: boolean; kind: string }

/** How well an answer stands by its counting claims: 1 every claim surely supported, 0 every one surely not. */
const standing = (claims: Claim[]): number => {
  const each = claims.map(
    ({ verdict, confidence = 1 }) => 0.5 + (verdict === 'supported' ? confidence : -confidence) / 2,
  )
  return each.reduce((sum, score) => sum + score, 0) / Math.max(1, each.length)
}

const checkClaims = ({ question, context, answer }: Grounding): Promise<Claim[]> => {
  const [caption = '', ...rest] = context.split('\n')
  const isTable = /^\s*\|/m.test(context)
  const evidence = [asEvidence(isTable ? { headingPath: [caption], text: rest.join('\n') } : { text: context })]
  const text = answer.replace(/[.?!]?\s*$/, ' [1].')
  return offlineSkills.checkClaims({ question, text, citations: [{ n: 1, passageId: 'p1' }], evidence }, call)
}

/** By the check's confidence, or by its verdicts alone: every claim supported, or not. */
const claims =
  (file: string, kinds: (kind: string) => boolean, by: 'confidence' | 'verdict') => (): Promise<Judged[]> =>
    Promise.all(
      rowsOf<Grounding>(file)
        .filter(({ kind }) => kinds(kind))
        .map(async (row) => {
          const checked = await checkClaims(row)
          const counting = checked.filter(({ kind }) => kind !== 'style')
          const whole = counting.length > 0 && counting.every(({ verdict }) => verdict === 'supported')
          return {
            key: row.question,
            kind: row.kind,
            score: by === 'verdict' ? Number(whole) : standing(counting),
            good: row.grounded,
          }
        }),
    )

type Relevance = { question: string; document: string; relevant: boolean }
const passages = (): Promise<Judged[]> =>
  Promise.all(
    rowsOf<Relevance>('grounding/doc_relevance.jsonl').map(async ({ question, document, relevant: good }) => {
      const [title = '', ...text] = document.split('\n')
      const passage = asEvidence({ title, headingPath: [title], text: text.join('\n') })
      const { relevant, confidence } = await offlineSkills.gradeEvidence(
        { question, passage, strictness: 'normal' },
        call,
      )
      return {
        key: question,
        kind: good ? 'relevant' : 'beside',
        score: 0.5 + (relevant ? confidence : -confidence) / 2,
        good,
      }
    }),
  )

type Useful = { question: string; answer: string; useful: boolean; kind: string }
const usefulness = (kinds: (kind: string) => boolean) => (): Promise<Judged[]> =>
  Promise.all(
    rowsOf<Useful>('grounding/answer_usefulness.jsonl')
      .filter(({ kind }) => kinds(kind))
      .map(async ({ question, answer, useful: good, kind }) => {
        const input = { question, steps: [question], text: answer, claims: [], evidence: [] }
        const rated = await offlineSkills.rateUsefulness(input, call)
        return { key: question, kind, score: Number(rated.usefulness >= 3), good }
      }),
  )

const cloudRegions = (): { name: string; description: string }[] => [
  { name: 'regions', description: describedBy('table_qa/docs/google-cloud-region-carbon.md') },
]
const ways: Record<string, string[]> = {
  environmental: ['research'],
  'more-info': ['clarify'],
  general: ['decline', 'reply'],
}
type Routed = { text?: string; question?: string; route: string }
/** Cases of other collections are left out. */
const routes = (file: string) => (): Promise<Judged[]> =>
  Promise.all(
    rowsOf<Routed>(file)
      .filter(({ route }) => route in ways)
      .map(async ({ question = '', text = question, route }) => {
        const { to } = await offlineSkills.route({ question: text, collections: cloudRegions(), webOn: false }, call)
        return { key: text, kind: `${route} → ${to}`, score: Number(ways[route]?.includes(to) ?? false), good: true }
      }),
  )

const everydayTalk = (): Promise<Judged[]> =>
  Promise.all(
    rowsOf<{ text: string }>('routing/clinc_intents.jsonl').map(async ({ text }) => {
      const { to } = await offlineSkills.route({ question: text, collections: cloudRegions(), webOn: false }, call)
      return { key: text, kind: to, score: Number(to !== 'research'), good: true }
    }),
  )

const plans = (): Promise<Judged[]> =>
  Promise.all(
    rowsOf<{ question: string; steps: unknown[] }>('planning/musique_decomposition.jsonl').map(
      async ({ question, steps: gold }) => {
        const { steps } = await offlineSkills.plan({ question, maxSteps: 12 }, call)
        return { key: question, kind: `${gold.length} steps`, score: Number(steps.length >= gold.length), good: true }
      },
    ),
  )

const halueval = 'grounding/halueval_qa.jsonl'
const tables = 'grounding/numeric_tables.jsonl'
const any = (): boolean => true
const unswapped = (kind: string): boolean => kind !== 'swapped_context'
const copied = (kind: string): boolean => kind === 'extractive' || kind === 'hallucinated'

const all: Measure[] = [
  { name: 'claims', set: halueval, figure: 'AUC', floor: 0.95, judge: claims(halueval, any, 'confidence') },
  {
    name: 'claims, own context',
    set: halueval,
    figure: 'AUC',
    floor: 0.93,
    judge: claims(halueval, unswapped, 'confidence'),
  },
  {
    name: 'claims, copied or invented',
    set: halueval,
    figure: 'AUC',
    floor: 0.95,
    judge: claims(halueval, copied, 'confidence'),
  },
  { name: 'claims, by verdict', set: halueval, figure: 'right', floor: 0.92, judge: claims(halueval, any, 'verdict') },
  { name: 'figures in tables', set: tables, figure: 'AUC', floor: 0.9, judge: claims(tables, any, 'confidence') },
  { name: 'figures, by verdict', set: tables, figure: 'right', floor: 0.95, judge: claims(tables, any, 'verdict') },
  { name: 'passages', set: 'grounding/doc_relevance.jsonl', figure: 'AUC', floor: 0.75, judge: passages },
  { name: 'usefulness', set: 'grounding/answer_usefulness.jsonl', figure: 'right', floor: 0.8, judge: usefulness(any) },
  {
    name: 'refusals are no use',
    set: 'grounding/answer_usefulness.jsonl',
    figure: 'right',
    floor: 1,
    judge: usefulness((kind) => kind === 'refusal'),
  },
  {
    name: 'routes',
    set: 'routing/seed_domain_router.jsonl',
    figure: 'right',
    floor: 0.85,
    judge: routes('routing/seed_domain_router.jsonl'),
  },
  {
    name: 'routes of the seed',
    set: 'seed/seed_cases.jsonl',
    figure: 'right',
    floor: 0.85,
    judge: routes('seed/seed_cases.jsonl'),
  },
  {
    name: 'everyday talk kept out',
    set: 'routing/clinc_intents.jsonl',
    figure: 'right',
    floor: 0.9,
    judge: everydayTalk,
  },
  { name: 'plans', set: 'planning/musique_decomposition.jsonl', figure: 'right', floor: 0.75, judge: plans },
]

/** Every measure whose set is there. */
export const measures = all.filter(({ set }) => hasSet(set))
