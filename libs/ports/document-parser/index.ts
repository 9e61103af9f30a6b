export * from './document-parser'
