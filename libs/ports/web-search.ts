/** A search result. `text` is the excerpt that the search engine shows. */
export type WebPage = {
  title: string
  url: string
  text: string
  fetchedAt: number
  /** The publication day, such as `2026-01-31`. Absent if the search engine returns no date. */
  date?: string
}

/** The maximum age of a page. */
export type Since = 'day' | 'week' | 'month' | 'year'

export interface WebSearch {
  readonly name: string
  search(query: string, k: number, signal: AbortSignal, since?: Since): Promise<WebPage[]>
}
