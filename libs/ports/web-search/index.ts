export type { WebPage, WebSearch } from './web-search'
