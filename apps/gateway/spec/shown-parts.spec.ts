import type { Claim } from '@plumbline/contracts'
import { show, type Run } from '@plumbline/flow'
import { checked, claim, drafted, ungrounded } from '@plumbline/flow/spec/run-fixtures.spec'
import { moveRun } from '@plumbline/worker/move'
import { evidenceIn, type House, type ReportFields } from './house.spec'

export const first = 'Mars is red [1].'
export const second = 'It is cold [1].'
export const shownText = `${first} ${second}`
export const last = 'It weighs 6.4e23 kg [1].'
export const wholeText = `${shownText} ${last}`

const supported = (text: string): Claim => claim('supported', { text })
const claims = [supported(first), supported(second)]

/** Returns the field `shown` of a run: a checked part of the draft that the asker has already read. */
export const partOf = (text: string): NonNullable<Run['shown']> => ({
  text,
  claims: claims.filter((one) => text.includes(one.text)),
  citations: [{ n: 1, passageId: 'p1' }],
  numbers: ['p1'],
  checkKey: 'key',
})

/** Releases the beginning of the draft up to the end of `text`, as the generator does. Returns the result. */
export const showUpTo = async ({ store }: House, runId: string, text: string): Promise<string> => {
  const { kind } = await moveRun(store, runId, (run, now) => {
    const at = Math.max(now, run.movedAt ?? 0)
    return show(run, { ...partOf(text), taskId: 'generate.1', from: run.shown?.text.length ?? 0, at })
  })
  return kind
}

/** Lets a run find its passages and release two parts of its draft. */
export const showParts = async (house: House, runId: string): Promise<void> => {
  await house.report(runId, ...evidenceIn)
  for (const text of [first, shownText]) await showUpTo(house, runId, text)
}

export const toWhole = (fields: Parameters<typeof checked>[1] = {}): ReportFields[] => [
  drafted(1, wholeText),
  checked(1, { claims: [...claims, supported(last)], ...fields }),
]
/** Returns reports that hold the run, because the last sentence of the draft is unsupported. */
export const toHeldRest = (): ReportFields[] => [
  drafted(1, wholeText),
  ungrounded(1, ...claims, claim('unsupported', { text: last })),
]
/** Returns reports in which the check of the whole draft contradicts a sentence that was already released. */
export const toDoubt = (): ReportFields[] => [
  drafted(1, wholeText),
  ungrounded(1, claim('contradicted', { text: first }), supported(second), supported(last)),
]
/** Returns a report that ends the run as failed, because its draft does not continue the released text. */
export const toFailure = (): ReportFields[] => [drafted(1, 'Venus is hot [1].')]
