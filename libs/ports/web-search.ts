/** A search result. `text` is the excerpt of the search engine. */
export type WebPage = {
  title: string
  url: string
  text: string
  fetchedAt: number
  /** The day of publication in ISO form, if the search engine returns it. */
  date?: string
}

/** The maximum age of a page. */
export type Since = 'day' | 'week' | 'month' | 'year'

export interface WebSearch {
  readonly name: string
  search(query: string, k: number, signal: AbortSignal, since?: Since): Promise<WebPage[]>
}
