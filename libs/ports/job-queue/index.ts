export * from './job-queue'
export * from './memory-job-queue'
