export type { Since, WebPage, WebSearch } from './web-search'
