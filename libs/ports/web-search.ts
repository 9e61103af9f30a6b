/** One page as a search found it: the text is what the search engine gave of it. */
export type WebPage = {
  title: string
  url: string
  text: string
  fetchedAt: number
  /** The day it was published, in ISO form, where the search knows it. */
  date?: string
}

/** How far back a page may have been published. */
export type Since = 'day' | 'week' | 'month' | 'year'

export interface WebSearch {
  readonly name: string
  search(query: string, k: number, signal: AbortSignal, since?: Since): Promise<WebPage[]>
}
