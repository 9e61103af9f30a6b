import type { Attributes, Link, SpanContext } from '@opentelemetry/api'
import type { Run } from '@plumbline/flow'
import { addToScope } from '@plumbline/platform/trace-scope'
import {
  errorTypeOf,
  isTracing,
  keepTrace,
  noteFailure,
  noteOnSpan,
  startSpan,
  within,
} from '@plumbline/platform/tracing/spans'
import { readTraceparent } from '@plumbline/platform/traceparent'
import type { LoopContext } from './context'
import type { OpenTask } from './run-handler'
import { runAttributes } from './trace-move'

/** The names follow OpenTelemetry's messaging conventions. */
export const queueAttributes = (queue: string, lane: string): Attributes => ({
  'messaging.system.name': 'bullmq',
  'messaging.destination.name': queue,
  'messaging.destination.partition.id': lane,
})

const wasHeld = ({ closed }: Run): boolean => Object.keys(closed).some((id) => id.startsWith('review.'))

const hopAttributes = ({ stage }: LoopContext, { run, task, starts, errors, now }: OpenTask): Attributes => ({
  ...runAttributes(run),
  ...queueAttributes(stage, run.lane),
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
  'messaging.message.id': `${run.id}.${task.id}`,
  'messaging.message.conversation_id': run.id,
  'plumbline.task.id': task.id,
  'plumbline.task.kind': task.kind,
  'plumbline.task.starts': starts,
  'plumbline.task.errors': errors,
  'plumbline.task.waited_ms': Math.max(0, now - task.openedAt),
})

/** `spanId`: the span of this delivery. `first`: the span of the task's first delivery, if this one is later. */
export type Hop = { spanId: string | undefined; first: string | undefined }

const linkToFirst = (first: string | undefined, { traceId, traceFlags }: SpanContext): Link[] =>
  first === undefined
    ? []
    : [{ context: { traceId, spanId: first, traceFlags }, attributes: { 'plumbline.link': 'first delivery' } }]

export const inHop = <T>(
  loop: LoopContext,
  open: OpenTask,
  { spanId, first }: Hop,
  work: () => Promise<T>,
): Promise<T> => {
  const { origin } = open.run
  const parent = readTraceparent(origin?.traceparent)
  addToScope({ requestId: origin?.requestId, caller: parent })
  if (!parent || !isTracing()) return work()
  const span = startSpan(`process ${loop.stage}`, parent, {
    kind: 'consumer',
    attributes: hopAttributes(loop, open),
    links: linkToFirst(first, parent),
    ...(spanId !== undefined && { spanId }),
  })
  if (!span) return work()
  if (wasHeld(open.run)) keepTrace(span.spanContext())
  return within(span, work)
}

const bad = new Set(['abandoned', 'error', 'expired', 'overspent'])

export const noteOutcome = (outcome: string): void => {
  noteOnSpan(() => ({ 'plumbline.task.outcome': outcome }))
  if (bad.has(outcome)) keepTrace()
}

export const noteTaskError = (error: unknown): void => noteFailure(errorTypeOf(error))
