/** One page as a search found it: the text is what the search engine gave of it. */
export type WebPage = { title: string; url: string; text: string; fetchedAt: number }

export interface WebSearch {
  readonly name: string
  search(query: string, k: number, signal: AbortSignal): Promise<WebPage[]>
}
