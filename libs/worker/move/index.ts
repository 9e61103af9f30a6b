export * from './dispatch'
export * from './move'
