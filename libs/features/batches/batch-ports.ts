import type { BatchStore } from './store/batches'

export abstract class BatchPorts {
  abstract readonly batches: BatchStore
}
