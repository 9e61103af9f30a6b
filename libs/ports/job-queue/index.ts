export * from './job-queue'
