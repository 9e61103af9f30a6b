import type { Attributes, Link, SpanContext } from '@opentelemetry/api'
import { reviewTask, type Run } from '@plumbline/flow'
import { addToScope } from '@plumbline/platform/tracing/scope'
import {
  content,
  currentPlace,
  errorTypeOf,
  isTracing,
  keepTrace,
  linkCurrentTo,
  markFailed,
  messages,
  noteFailure,
  noteOnSpan,
  startSpan,
  tenantHash,
  within,
} from '@plumbline/platform/tracing/spans'
import { readTraceparent } from '@plumbline/platform/tracing/traceparent'
import type { LoopContext } from './context'
import type { OpenTask } from './run-handler'

export const runAttributes = ({ id, tenant, policy }: Pick<Run, 'id' | 'tenant' | 'policy'>): Attributes => ({
  'plumbline.run.id': id,
  'plumbline.tenant.hash': tenantHash(tenant),
  'plumbline.policy': policy.name,
})

/** What messaging conventions say of a queue of ours. */
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

/** `spanId`: as `begin` was told it; `first`: that of the task's first delivery, where this is a later one. */
export type Hop = { spanId: string | undefined; first: string | undefined }

const linkToFirst = (first: string | undefined, { traceId, traceFlags }: SpanContext): Link[] =>
  first === undefined
    ? []
    : [{ context: { traceId, spanId: first, traceFlags }, attributes: { 'plumbline.link': 'first delivery' } }]

/** Does a task in a span of its run's trace, and names run and request in every line that is logged meanwhile. */
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

/** Outcomes of tasks for which a trace is wanted whatever its ratio. */
const bad = new Set(['abandoned', 'error', 'expired', 'overspent'])

export const noteOutcome = (outcome: string): void => {
  noteOnSpan(() => ({ 'plumbline.task.outcome': outcome }))
  if (bad.has(outcome)) keepTrace()
}

export const noteTaskError = (error: unknown): void => noteFailure(errorTypeOf(error))

const badEnds = new Set<Run['status']>(['failed', 'expired', 'rejected'])

const traceHold = (before: Run, after: Run, parent: SpanContext): void => {
  const review = reviewTask(before)
  if (!review || reviewTask(after)?.id === review.id) return
  const decision = currentPlace()
  const isApart = decision !== undefined && decision.traceId !== parent.traceId
  const span = startSpan('parked', parent, {
    at: review.openedAt,
    attributes: {
      ...runAttributes(after),
      'plumbline.task.id': review.id,
      'plumbline.review.decider': review.decider,
      'plumbline.task.outcome': after.closed[review.id] ?? '',
    },
    links: isApart ? [{ context: decision, attributes: { 'plumbline.link': 'decision' } }] : [],
  })
  span?.end(after.movedAt ?? review.openedAt)
  if (isApart) linkCurrentTo(parent, 'run')
}

const traceEnd = (run: Run, parent: SpanContext): void => {
  const { status, reason = '', usage, spent, endedAt = run.createdAt } = run
  const span = startSpan(`invoke_workflow ${run.policy.name}`, parent, {
    at: run.createdAt,
    attributes: {
      ...runAttributes(run),
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': run.policy.name,
      'plumbline.run.status': status,
      'plumbline.run.reason': reason,
      'plumbline.run.moves': spent.moves,
      'plumbline.run.rewrites': spent.rewrites,
      'plumbline.run.tokens_in': usage.tokensIn,
      'plumbline.run.tokens_out': usage.tokensOut,
      'plumbline.run.cents': usage.cents,
      ...content(() => ({
        'gen_ai.input.messages': messages([{ role: 'user', content: run.question }]),
        'gen_ai.output.messages': messages([{ role: 'assistant', content: run.answer?.text ?? '' }]),
        ...(run.threadId !== undefined && { 'gen_ai.conversation.id': run.threadId }),
      })),
    },
  })
  if (span && badEnds.has(status)) markFailed(span, reason)
  span?.end(endedAt)
}

/** What a move shows in its run's trace, whoever made it: the time a draft was held, and the whole run once it has ended. */
export const traceMove = (before: Run, after: Run): void => {
  const parent = isTracing() ? readTraceparent(after.origin?.traceparent) : undefined
  if (!parent) return
  if (reviewTask(after) || badEnds.has(after.status)) keepTrace(parent)
  traceHold(before, after, parent)
  if (after.endedAt !== undefined) traceEnd(after, parent)
}
