export * from './html-to-markdown'
export * from './read-html'
