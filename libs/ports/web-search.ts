/** One search result. The text is the search engine's excerpt. */
export type WebPage = {
  title: string
  url: string
  text: string
  fetchedAt: number
  /** The publication day in ISO form, if the search knows it. */
  date?: string
}

/** The maximum age of a page. */
export type Since = 'day' | 'week' | 'month' | 'year'

export interface WebSearch {
  readonly name: string
  search(query: string, k: number, signal: AbortSignal, since?: Since): Promise<WebPage[]>
}
