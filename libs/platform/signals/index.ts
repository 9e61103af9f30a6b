export * from './or-aborted'
