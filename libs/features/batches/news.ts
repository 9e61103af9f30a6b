import type { NewsSource } from '@plumbline/gateway/feature'
import { openBatches } from './store/batches'

export const batchNews: NewsSource = {
  kind: 'batch',
  open: (redis) => {
    const batches = openBatches(redis)
    return async (tenant, batchId = '') => {
      const batch = await batches.one(tenant, batchId)
      if (batch?.endedAt === undefined) return null
      const data = { batchId, status: batch.status }
      return { tenant, about: `${batchId}.ended`, at: batch.endedAt, type: 'batch.finished', data }
    }
  },
}
