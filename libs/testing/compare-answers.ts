import { type Answer, describedAnswers, type DescribedAnswers } from './described-answers'

// The API description is compiled once per process, when the first response of a gateway arrives.
const shared = globalThis as { describedAnswers?: DescribedAnswers }

const faults = new Set<string>()
const pending = new Set<Promise<void>>()

/** Returns whether a gateway sent the response. Only gateways set both headers. */
export const isFromGateway = (has: (header: string) => boolean): boolean =>
  has('x-request-id') && has('x-frame-options')

export const isStream = (type: string): boolean => type.startsWith('text/event-stream')
/** Returns whether a body of this type is compared as a whole. An event stream is not, because it may have no end. */
export const isCompared = (type: string): boolean => /[/+]jsonl?(;|$)/.test(type)

export const compareAnswer = (answer: Answer): void => {
  shared.describedAnswers ??= describedAnswers()
  const fault = shared.describedAnswers.faultOf(answer)
  if (fault !== undefined) faults.add(fault)
}

/** Compares a response as soon as its body has arrived. An incomplete body, after a disconnect, is not compared. */
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
