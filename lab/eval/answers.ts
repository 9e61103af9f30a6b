import { hasData, root } from './data'
import {
  contextPrecision,
  contextRecall,
  endingOf,
  holds,
  holdsGold,
  percentile,
  share,
  supportedIn,
  textOf,
  tracedIn,
  wordF1,
  type Ending,
  type Outcome,
} from './answers-figures'
import { answerSets, type AnswerSet, type AskedQuestion } from './answers-sets'
import { openInHouse, type InHouse } from './in-house'

export { hasData, holds, root }

type Figures = {
  answered: number
  held: number
  declined: number
  other: number
  faithful: number | null
  traced: number | null
  relevant: number | null
  f1: number | null
  precision: number | null
  recall: number | null
  refused: number | null
  calls: number
  tokens: number
  cents: number
}
/** Latency is shown but not stored, because it depends on the machine. */
export type Row = { policy: string; set: string; questions: number; floor: number | null } & Figures & {
    msPerRow: { p50: number; p95: number }
  }

type Chosen = { policy?: string; set?: string; limit?: string }
const usual = 24
/** With remote models, this many questions run at the same time, because they mostly wait for the network. */
const askedAtOnce = 4
/** The minimum share of released content that must be traced to citations. */
const floor = 0.95

const rounded = (value: number): number | null => (Number.isNaN(value) ? null : Number(value.toFixed(3)))
const mean = (values: readonly number[]): number =>
  values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length
const ranksOf = ({ expected, evidence }: Outcome): number[][] => evidence.map(expected.goldIn)

const rowOf = (policy: string, set: string, all: Outcome[]): Row => {
  const count = (ending: Ending): number => all.filter((one) => endingOf(one) === ending).length
  const told = all.filter((one) => endingOf(one) === 'answered')
  const [answerable, other] = [
    all.filter(({ expected }) => expected.answerable),
    all.filter(({ expected }) => !expected.answerable),
  ]
  const known = answerable.filter(({ expected }) => expected.gold > 0)
  const usage = (of: (outcome: Outcome) => number): number => Number(mean(all.map(of)).toFixed(2))
  return {
    policy,
    set,
    questions: all.length,
    answered: count('answered'),
    held: count('held'),
    declined: count('declined'),
    other: count('other'),
    faithful: rounded(share(told.map(({ view }) => supportedIn(view.grounding?.claims ?? [])))),
    traced: rounded(
      share(
        told.map((one) =>
          tracedIn(
            textOf(one),
            one.view.answer?.citations.map(({ title, headingPath, text }) =>
              [title, ...headingPath, text].join('\n'),
            ) ?? [],
          ),
        ),
      ),
    ),
    relevant: rounded(mean(answerable.map((one) => Number(holdsGold(textOf(one), one.expected.answers))))),
    f1: rounded(mean(answerable.map((one) => wordF1(textOf(one), one.expected.answers)))),
    precision: rounded(mean(known.map((one) => contextPrecision(ranksOf(one))))),
    recall: rounded(mean(known.map((one) => contextRecall(ranksOf(one), one.expected.gold)))),
    refused: rounded(mean(other.map((one) => Number(endingOf(one) !== 'answered')))),
    calls: usage(({ view }) => view.usage.calls),
    tokens: usage(({ view }) => view.usage.tokensIn + view.usage.tokensOut),
    cents: usage(({ view }) => view.usage.cents),
    floor: set === 'all' ? floor : null,
    msPerRow: {
      p50: Math.round(
        percentile(
          all.map(({ ms }) => ms),
          0.5,
        ),
      ),
      p95: Math.round(
        percentile(
          all.map(({ ms }) => ms),
          0.95,
        ),
      ),
    },
  }
}

const heads = [
  'policy',
  'set',
  'asked',
  'answered',
  'held',
  'declined',
  'failed',
  'faithful',
  'traced',
  'relevant',
  'before',
  'F1',
  'precision',
  'recall',
  'refused',
  'p50 ms',
  'p95 ms',
  'calls',
  'tokens',
  'cents',
]
const line = (all: string[]): string =>
  all
    .map((cell, at) =>
      at === 0 ? cell.padEnd(16) : at === 1 ? cell.padEnd(20) : cell.padStart(at > 6 && at < 15 && at !== 10 ? 14 : 9),
    )
    .join('')

const moved = (row: Row, before: Row[]): string => {
  const old = before.find(
    ({ policy, set, questions }) => policy === row.policy && set === row.set && questions === row.questions,
  )
  if (old?.relevant === undefined || old.relevant === null || row.relevant === null) return old ? '=' : 'new'
  const by = row.relevant - old.relevant
  return Math.abs(by) < 0.0005 ? '=' : `${by > 0 ? '+' : ''}${by.toFixed(3)}`
}
const besideSimple = (row: Row, simple: Row | undefined, of: keyof Figures): string => {
  const [own, other] = [row[of], simple?.[of]]
  if (own === null) return '–'
  const by =
    simple === undefined || simple === row || other === null || other === undefined
      ? ''
      : ` (${own >= other ? '+' : ''}${(own - other).toFixed(2)})`
  return `${own.toFixed(3)}${by}`
}
const reportLine = (row: Row, simple: Row | undefined, before: Row[]): string => {
  const beside = (of: keyof Figures): string => besideSimple(row, simple, of)
  const counts = [row.questions, row.answered, row.held, row.declined, row.other].map(String)
  const usage = [row.msPerRow.p50, row.msPerRow.p95, row.calls, row.tokens, row.cents].map(String)
  return line([
    row.policy,
    row.set,
    ...counts,
    beside('faithful'),
    beside('traced'),
    beside('relevant'),
    moved(row, before),
    beside('f1'),
    beside('precision'),
    beside('recall'),
    beside('refused'),
    ...usage,
  ])
}

const meanings = [
  'answered: something was told; held: waits for a person; declined: ended without an answer; failed: came to no proper end.',
  'faithful: supported ÷ all claims that count of what was told, by the check; traced: its numbers and names that stand in the passages it cites, by no check.',
  'relevant: holds the gold answer, F1: shares its words, both over what can be answered, told or not; precision, recall: gold passages among what drafts were written from, earlier ranks count more.',
  'refused: of what the documents do not tell, the share that nothing was told of. In brackets: beside `simple` over the same questions. Usage is of one question.',
]

const openSet = async (
  house: InHouse,
  sets: AnswerSet[],
  collection: string,
): Promise<{ name: string; questions: AskedQuestion[] }[]> => {
  const documentOf = new Map<string, string>()
  const waiting = sets.flatMap(({ sources }) => sources)
  const next = async (): Promise<void> => {
    for (let source = waiting.shift(); source; source = waiting.shift()) {
      const { id } =
        'path' in source
          ? await house.upload(source.path, collection)
          : await house.add(source.title, source.text, collection)
      documentOf.set(source.id, id)
    }
  }
  await Promise.all(Array.from({ length: 8 }, next))
  return sets.map(({ name, questions }) => ({ name, questions: questions(documentOf) }))
}

const wrongWords = (message: string): Error => Object.assign(new Error(message), { code: 'wrong-words' })

const chosenOf = (asked: string | undefined, known: string[], what: string): string[] => {
  const wanted = asked?.split(',') ?? known
  const unknown = wanted.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw wrongWords(`There is no ${what} ${unknown.join(', ')}; there are ${known.join(', ')}.`)
  return wanted
}

type Asking = { house: InHouse; policies: string[]; before: Row[]; tell: (line: string) => void }
type Measured = Map<string, { set: string; outcomes: Outcome[] }[]>

const measure = async (
  { house, policies, before, tell }: Asking,
  collection: string,
  { name, questions }: { name: string; questions: AskedQuestion[] },
  done: Measured,
): Promise<Row[]> => {
  const rows: Row[] = []
  for (const policy of policies) {
    const outcomes: Outcome[] = []
    const waiting = [...questions]
    const next = async (): Promise<void> => {
      for (let expected = waiting.shift(); expected; expected = waiting.shift()) {
        const from = performance.now()
        const asked = await house.ask(expected.question, collection, policy)
        outcomes.push({ expected, ...asked, ms: performance.now() - from })
      }
    }
    await Promise.all(Array.from({ length: house.models === 'offline' ? 1 : askedAtOnce }, next))
    done.set(policy, [...(done.get(policy) ?? []), { set: name, outcomes }])
    const row = rowOf(policy, name, outcomes)
    rows.push(row)
    tell(
      reportLine(
        row,
        rows.find((one) => one.policy === 'simple'),
        before,
      ),
    )
  }
  return rows
}

export const table = async (
  before: Row[],
  tell: (line: string) => void,
  { policy, set, limit }: Chosen = {},
): Promise<Row[]> => {
  const most = limit === undefined ? usual : Number(limit)
  if (!Number.isInteger(most) || most < 1) throw wrongWords('--limit is a number of questions of each set, 1 or more.')
  const names = chosenOf(set, Object.keys(answerSets), 'set')
  const house = await openInHouse()
  try {
    const known = (await house.client.policies()).items.map(({ name }) => name)
    const wanted = chosenOf(policy, known, 'policy')
    const policies = ['simple', ...wanted.filter((name) => name !== 'simple')]
    const asking = { house, policies, before, tell }
    tell(
      `answers, ${house.models}; the web is ${(process.env['WEB_SEARCH'] ?? 'off') === 'off' ? 'off: policies that would ask it go on without' : 'on'}`,
    )
    meanings.forEach(tell)
    tell(line(heads))
    const done: Measured = new Map()
    const rows: Row[] = []
    for (const name of names) {
      const sets = answerSets[name]?.(most)
      if (!sets) {
        tell(`${name}: its documents are not among the data; left out`)
        continue
      }
      for (const one of await openSet(house, sets, name)) rows.push(...(await measure(asking, name, one, done)))
    }
    const whole = [...done].map(([name, some]) =>
      rowOf(
        name,
        'all',
        some.flatMap(({ outcomes }) => outcomes),
      ),
    )
    for (const row of whole)
      tell(
        reportLine(
          row,
          whole.find((one) => one.policy === 'simple'),
          before,
        ),
      )
    return [...rows, ...whole]
  } finally {
    await house.close()
  }
}
