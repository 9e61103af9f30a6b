import { type Feature, provide } from '@plumbline/gateway/feature'
import { LineAsks } from './ask-lines.service'
import { BatchPorts } from './batch-ports'
import { BatchRunner } from './batch-runner.service'
import { BatchesController } from './batches.controller'
import { Batches } from './batches.service'
import { openBatches } from './store/batches'

/** Answers the questions of an uploaded file in the background. */
export const batches: Feature = {
  name: 'batches',
  controllers: [BatchesController],
  services: [Batches, BatchRunner, LineAsks],
  open: ({ redis, retentionMs }) => ({ ports: [provide(BatchPorts, { batches: openBatches(redis, retentionMs) })] }),
}
