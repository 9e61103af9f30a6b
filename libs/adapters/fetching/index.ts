export * from './allowed'
export * from './fetch-document'
export * from './guarded-fetch'
