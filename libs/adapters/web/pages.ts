import type { WebPage } from '@plumbline/ports/web-search'

/** What one search may bring, however much the service sends. */
export const limits = { pages: 20, title: 300, text: 4_000 }

const isWeb = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** Cut between words where there is one near the end. */
const cut = (text: string, most: number): string => {
  const plain = text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain.length <= most) return plain
  const end = plain.lastIndexOf(' ', most)
  return plain.slice(0, end > most * 0.8 ? end : most)
}

/** The calendar day of a date in ISO form, as it is written there, or of one as mail and news write it. */
const dayOf = (published: string | null | undefined): string | undefined => {
  const time = Date.parse(published ?? '')
  if (Number.isNaN(time)) return undefined
  return /^\d{4}-\d\d-\d\d/.exec(published ?? '')?.[0] ?? new Date(time).toISOString().slice(0, 10)
}

type Found = { title: string; url: string; content: string; published?: string | null | undefined }

/** The first k pages that have a web address and say something, each address once. */
export const pagesOf = (found: Found[], k: number, fetchedAt: number): WebPage[] => {
  const seen = new Set<string>()
  return found
    .map(({ title, url, content, published }): WebPage => {
      const date = dayOf(published)
      return {
        title: cut(title, limits.title) || url,
        url,
        text: cut(content, limits.text),
        fetchedAt,
        ...(date !== undefined && { date }),
      }
    })
    .filter(({ url, text }) => {
      if (!isWeb(url) || text === '' || seen.has(url)) return false
      seen.add(url)
      return true
    })
    .slice(0, Math.min(k, limits.pages))
}
