import type { OpenDocument } from '@plumbline/adapters/redis/documents/ingest-catalog'
import { addToScope } from '@plumbline/platform/trace-scope'
import { startSpan, tenantHash, within } from '@plumbline/platform/tracing/spans'
import { readTraceparent } from '@plumbline/platform/traceparent'

export const inDocumentSpan = <T>(open: OpenDocument, work: () => Promise<T>): Promise<T> => {
  const caller = readTraceparent(open.trace)
  addToScope({ caller })
  const span =
    caller &&
    startSpan('process ingest', caller, {
      kind: 'consumer',
      attributes: {
        'messaging.system.name': 'bullmq',
        'messaging.destination.name': 'ingest',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.message.id': `${open.id}.${open.revision}`,
        'plumbline.document.id': open.id,
        'plumbline.tenant.hash': tenantHash(open.tenant),
        'plumbline.task.starts': open.starts,
        'plumbline.task.errors': open.errors,
      },
    })
  return span ? within(span, work) : work()
}
