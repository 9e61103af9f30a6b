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

/** The checked beginning of a draft that a run may have. */
export const partOf = (text: string): NonNullable<Run['shown']> => ({
  text,
  claims: claims.filter((one) => text.includes(one.text)),
  citations: [{ n: 1, passageId: 'p1' }],
  numbers: ['p1'],
  checkKey: 'key',
})

/** The beginning of the draft is released up to here, as a generator does it. */
export const showUpTo = async ({ store }: House, runId: string, text: string): Promise<string> => {
  const { kind } = await moveRun(store, runId, (run, now) => {
    const at = Math.max(now, run.movedAt ?? 0)
    return show(run, { ...partOf(text), taskId: 'generate.1', from: run.shown?.text.length ?? 0, at })
  })
  return kind
}

/** The run has found its passages, and two parts of its draft are released. */
export const showParts = async (house: House, runId: string): Promise<void> => {
  await house.report(runId, ...evidenceIn)
  for (const text of [first, shownText]) await showUpTo(house, runId, text)
}

export const toWhole = (fields: Parameters<typeof checked>[1] = {}): ReportFields[] => [
  drafted(1, wholeText),
  checked(1, { claims: [...claims, supported(last)], ...fields }),
]
/** The rest of the draft does not pass its check, under a policy that tries nothing again. */
export const toHeldRest = (): ReportFields[] => [
  drafted(1, wholeText),
  ungrounded(1, ...claims, claim('unsupported', { text: last })),
]
/** The check of the whole draft contradicts the part that was released. */
export const toDoubt = (): ReportFields[] => [
  drafted(1, wholeText),
  ungrounded(1, claim('contradicted', { text: first }), supported(second), supported(last)),
]
/** A draft that does not continue the released part is a fault, which ends the run. */
export const toFailure = (): ReportFields[] => [drafted(1, 'Venus is hot [1].')]
