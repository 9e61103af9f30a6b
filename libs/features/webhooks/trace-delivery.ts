import type { Delivery } from './store/deliveries'
import { inScope } from '@plumbline/platform/trace-scope'
import { startSpan, tenantHash, within } from '@plumbline/platform/tracing/spans'
import { readTraceparent } from '@plumbline/platform/traceparent'

export const inDeliverySpan = <T>(delivery: Delivery, work: () => Promise<T>): Promise<T> => {
  const { id, tenant, event, runId, tries, traceparent } = delivery
  const caller = readTraceparent(traceparent)
  const span =
    caller &&
    startSpan('process webhook', caller, {
      kind: 'consumer',
      attributes: {
        'messaging.system.name': 'bullmq',
        'messaging.destination.name': 'webhook',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.message.id': id,
        'plumbline.tenant.hash': tenantHash(tenant),
        ...(runId !== undefined && { 'plumbline.run.id': runId }),
        'plumbline.webhook.event': event,
        'plumbline.webhook.tries': tries,
      },
    })
  return inScope({ caller, ...(runId !== undefined && { runId }) }, () => (span ? within(span, work) : work()))
}
