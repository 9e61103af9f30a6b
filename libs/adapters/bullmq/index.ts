export { openBullMqJobQueue } from './bullmq-job-queue'
export { openIngestQueue, type IngestQueue } from './ingest-queue'
export { openQueue, queuePrefix } from './queues'
export { workerOptions } from './worker-options'
