import type { RecordedRequest } from '@plumbline/testing/model-server/receive'
import { cachedTokens } from './prompt-cache'
import { median } from './table'

type Call = { name: string; ms: number; tokensIn: number; tokensOut: number; request: RecordedRequest }
/** `first` is the time until the asker can read the first words. */
export type AnswerMeasure = {
  who: string
  kind: string
  id: string
  simple: boolean
  first: number
  whole: number
  calls: Call[]
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
const p95 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(0.95 * values.length) - 1)] ?? Number.NaN

type Row = Record<string, number | string>

/** Times are p50 and p95. All other figures are averages per question. */
export const rowOf = (who: string, all: AnswerMeasure[]): Row => {
  const own = all.filter((one) => one.who === who)
  const times = (of: 'first' | 'whole'): number[] => own.map((one) => one[of] / 1_000)
  const calls = own.flatMap((one) => one.calls)
  const requests = calls.map(({ request }) => request)
  const each = (figures: number[]): number => Math.round(figures.reduce((sum, one) => sum + one, 0) / own.length)
  const plain = own.filter(({ simple }) => simple)
  return {
    who,
    'first p50 s': median(times('first')),
    'first p95 s': p95(times('first')),
    'whole p50 s': median(times('whole')),
    'whole p95 s': p95(times('whole')),
    calls: mean(own.map((one) => one.calls.length)),
    'calls, plain question': mean(plain.map((one) => one.calls.length)),
    'tokens in': each(calls.map(({ tokensIn }) => tokensIn)),
    'tokens out': each(calls.map(({ tokensOut }) => tokensOut)),
    'cached, schema first': each(cachedTokens(requests, 'schema-first')),
    'cached, messages only': each(cachedTokens(requests, 'messages')),
  }
}

export const callsOf = (who: string, all: AnswerMeasure[]): Row[] => {
  const calls = all.filter((one) => one.who === who).flatMap((one) => one.calls)
  return [...Map.groupBy(calls, ({ name }) => name)].map(([name, own]) => ({
    call: name,
    times: own.length,
    's p50': median(own.map(({ ms }) => ms / 1_000)),
    'tokens in': Math.round(mean(own.map(({ tokensIn }) => tokensIn))),
    'tokens out': Math.round(mean(own.map(({ tokensOut }) => tokensOut))),
  }))
}

const rounded = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? Number(value.toFixed(2)) : value]),
  )

export const printAnswers = (pace: object, table: Row[]): void => {
  console.log(`\nModels at ${JSON.stringify(pace)}; times of one question at a time.`)
  console.table(table.map(rounded))
  const [own, plain] = ['plumbline', 'plain'].map((who) => table.find((row) => row['who'] === who))
  const ratio = (of: string): string => (Number(own?.[of]) / Number(plain?.[of])).toFixed(2)
  console.log(
    `Plumbline ÷ the plain call: whole answer ${ratio('whole p50 s')} ×, tokens in ${ratio('tokens in')} ×, tokens out ${ratio('tokens out')} ×`,
  )
}

export const printCalls = (calls: Row[]): void => console.table(calls.map(rounded))
