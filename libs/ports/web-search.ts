/** A search result. `text` is the excerpt that the search engine shows. */
export type WebPage = {
  title: string
  url: string
  text: string
  fetchedAt: number
  date?: string
}

export type Since = 'day' | 'week' | 'month' | 'year'

export interface WebSearch {
  readonly name: string
  search(query: string, k: number, signal: AbortSignal, since?: Since): Promise<WebPage[]>
}
