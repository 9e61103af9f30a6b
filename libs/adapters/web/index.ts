export { openSearxngSearch } from './searxng-search'
export { openTavilySearch } from './tavily-search'
