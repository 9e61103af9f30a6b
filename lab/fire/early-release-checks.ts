import { isDeepStrictEqual } from 'node:util'
import { type LedgerEvent, reasons, type RunView, type StreamEvent } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import { violations } from './inspect'
import { type Reading, shownIn } from './shown-streams'
import { harm } from './unsteady-writer'

export type ReviewDecision = 'approve' | 'edit' | 'edit and keep' | 'reject' | 'none'

/** `early`: views while parts arrived. `ledger`: events that a late reader got. `stored`: events in the store. */
export type Finished = {
  run: Run
  view: RunView
  early: RunView[]
  ledger: StreamEvent[]
  stored: LedgerEvent[]
  readings: Reading[]
}

const isMarked: Record<string, (run: Finished) => boolean> = {
  incomplete: ({ run }) => ['parked', 'failed', 'cancelled', 'expired'].includes(run.status),
  doubted: ({ ledger }) => ledger.some(({ type }) => type === 'doubted'),
  corrected: ({ ledger }) => ledger.some(({ type }) => type === 'corrected'),
  withdrawn: ({ ledger, run }) => run.status === 'rejected' && ledger.some(({ type }) => type === 'withdrawn'),
}

const endFaults = (finished: Finished, shown: string): string[] => {
  const { answer, partial, status } = finished.view
  if (shown === '') return partial ? ['a partial answer, but nothing was shown'] : []
  if (answer?.text.startsWith(shown)) return partial ? ['a partial answer beside the answer'] : []
  if (!partial) return [`the end ${status} does not mark what was shown`]
  if (partial.text !== shown) return ['the partial answer is not what was shown']
  return isMarked[partial.state]?.(finished) ? [] : [`marked ${partial.state}, ended ${status}`]
}

/** The gateway sends a fixed sentence if no answer is released. */
const isFixed = (text: string): boolean =>
  Object.values<string>(reasons).includes(text) || /^This (?:answer is (?:held|not ready)|question ended)/.test(text)

/** If nothing was released early, the text may also be a fixed sentence. */
const chatFaults = ({ view, run }: Finished, { pieces }: Reading, shown: string): string[] => {
  const text = pieces.join('')
  const faults: string[] = []
  if (harm.test(text) && run.decision?.action !== 'approve')
    faults.push('a chat completion with an unsupported sentence')
  const answer = view.answer?.text
  const isAnswer = answer !== undefined && text.includes(answer)
  const isBegun = shown === '' ? isFixed(text) : text !== '' && shown.startsWith(text)
  if (!isAnswer && !isBegun) faults.push(`a chat completion with another text: ${text}`)
  if (shown !== '' && !shown.startsWith(pieces[0] ?? '-')) faults.push('a chat completion without the shown parts')
  return faults
}

const before = (events: StreamEvent[]): StreamEvent[] => events.filter(({ type }) => type !== 'ended')
const hasHarm = (seen: unknown): boolean => harm.test(JSON.stringify(seen))

const readerFaults = (finished: Finished, shown: string): string[] =>
  finished.readings.flatMap((reading) => {
    if (reading.door === 'chat') return chatFaults(finished, reading, shown)
    const faults: string[] = []
    if (hasHarm(before(reading.events))) faults.push('an unsupported sentence in a stream')
    if (shownIn(reading.events) !== shown) faults.push('parts that do not join to what was shown')
    if (!isDeepStrictEqual(reading.events, finished.ledger)) faults.push('a reader saw other events')
    return faults
  })

const viewFaults = ({ early, view, run }: Finished, shown: string): string[] => {
  const faults: string[] = []
  for (const { partial, answer } of early) {
    if (partial && !shown.startsWith(partial.text)) faults.push('a view with a text that was not shown')
    if (partial && hasHarm(partial)) faults.push('an unsupported sentence in a view')
    if (answer && hasHarm(answer) && run.decision?.action !== 'approve') faults.push('an unsupported answer in a view')
  }
  if (hasHarm(view.partial ?? null)) faults.push('an unsupported sentence in the partial answer')
  if (hasHarm(view.answer ?? null) && run.decision?.action !== 'approve') faults.push('an unsupported answer')
  return faults
}

export const faultsOf = (finished: Finished): string[] => {
  const { run, ledger, stored } = finished
  const shown = shownIn(ledger)
  if (shown === null) return [`${run.id}: the parts have a gap or overlap`]
  const faults = [
    ...endFaults(finished, shown),
    ...readerFaults(finished, shown),
    ...viewFaults(finished, shown),
    ...((run.shown?.text ?? '') === shown ? [] : ['the stored text is not what was shown']),
    ...(run.endedAt === undefined ? [] : violations(run, stored)),
  ]
  return faults.map((fault) => `${run.id} (${run.question.slice(0, 10)} ${run.status} ${run.reason}): ${fault}`)
}
