import { type Answer, describedAnswers, type DescribedAnswers } from './described-answers'

// The API description is compiled once per process, when the first response of a gateway arrives.
const shared = globalThis as { describedAnswers?: DescribedAnswers }

const faults = new Set<string>()
const pending = new Set<Promise<void>>()

/** Only gateways set both headers. */
export const isFromGateway = (has: (header: string) => boolean): boolean =>
  has('x-request-id') && has('x-frame-options')

export const isStream = (type: string): boolean => type.startsWith('text/event-stream')
/** Excludes event streams, because their bodies may have no end. */
export const isCompared = (type: string): boolean => /[/+]jsonl?(;|$)/.test(type)

export const compareAnswer = (answer: Answer): void => {
  shared.describedAnswers ??= describedAnswers()
  const fault = shared.describedAnswers.faultOf(answer)
  if (fault !== undefined) faults.add(fault)
}

/** Compares nothing if the body is incomplete, because then the client disconnected. */
export const compareLater = (answer: Answer, body: Promise<string>): void => {
  const comparing: Promise<void> = body
    .then(
      (text) => compareAnswer({ ...answer, body: text }),
      () => undefined,
    )
    .finally(() => pending.delete(comparing))
  pending.add(comparing)
}

export const takeFaults = async (): Promise<string[]> => {
  await Promise.all(pending)
  const found = [...faults]
  faults.clear()
  return found
}
