import type { Attributes, SpanContext } from '@opentelemetry/api'
import { reviewTask, type Run } from '@plumbline/flow'
import { readTraceparent } from '@plumbline/platform/traceparent'
import {
  content,
  currentPlace,
  isTracing,
  keepTrace,
  linkCurrentTo,
  markFailed,
  messages,
  startSpan,
  tenantHash,
} from '@plumbline/platform/tracing/spans'

export const runAttributes = ({ id, tenant, policy }: Pick<Run, 'id' | 'tenant' | 'policy'>): Attributes => ({
  'plumbline.run.id': id,
  'plumbline.tenant.hash': tenantHash(tenant),
  'plumbline.policy': policy.name,
})

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

export const traceMove = (before: Run, after: Run): void => {
  const parent = isTracing() ? readTraceparent(after.origin?.traceparent) : undefined
  if (!parent) return
  if (reviewTask(after) || badEnds.has(after.status)) keepTrace(parent)
  traceHold(before, after, parent)
  if (after.endedAt !== undefined) traceEnd(after, parent)
}
