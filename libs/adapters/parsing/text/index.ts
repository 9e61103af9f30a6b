export * from './plain-text'
export * from './read-text'
