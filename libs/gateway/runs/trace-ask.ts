import { openJobs, type Run } from '@plumbline/flow'
import { content, inSpan, linkCurrentTo, messages, noteOnSpan } from '@plumbline/platform/tracing/spans'
import { readTraceparent } from '@plumbline/platform/traceparent'
import { runAttributes } from '@plumbline/worker/trace-move'
import { queueAttributes } from '@plumbline/worker/trace-run'

export const inAskSpan = (work: () => Promise<Run>): Promise<Run> => inSpan('ask', () => ({ kind: 'producer' }), work)

/** `isKnown`: the request was repeated, so the run already has another trace. */
export const noteAsk = (run: Run, isKnown: boolean): void => {
  noteOnSpan(() => ({
    ...runAttributes(run),
    ...queueAttributes(openJobs(run)[0]?.queue ?? '', run.lane),
    'messaging.operation.name': 'add',
    'messaging.operation.type': 'send',
    'messaging.message.conversation_id': run.id,
    ...content(() => ({ 'gen_ai.input.messages': messages([{ role: 'user', content: run.question }]) })),
  }))
  const own = isKnown ? readTraceparent(run.origin?.traceparent) : undefined
  if (own) linkCurrentTo(own, 'run')
}
