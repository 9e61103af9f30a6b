import { coverage, words } from '@plumbline/knowledge/text'

const request =
  /^(?:please\s+|can you\s+|could you\s+|would you\s+)*(?:summari[sz]e|sum up|(?:give|write|show)\s+(?:me\s+)?an?\s+(?:\w+\s+)?(?:summary|overview)\s+of|what is the (?:summary|gist) of)\s+(?<what>.+?)\s*(?:,?\s*please)?[.?!]*$/i
const kind =
  /^(?:the\s+)?(?:whole\s+|entire\s+)?(?:document|report|article|file|page|paper|text|manual|handbook|guide)\s+(?:(?:called|titled|named|about|on)\s+)?(?=\S)|\s+(?:document|report|article|file|page|paper|manual|handbook|guide)$/gi

/** The title a question names that wants a whole document summed up; null: it wants something else. */
export const summaryOf = (question: string): string | null => {
  const what = request
    .exec(question.trim())
    ?.groups?.['what']?.replace(/["“”'‘’]/g, '')
    .trim()
  return what === undefined || words(what).length === 0 ? null : what.replace(kind, '').trim() || what
}

/** How well a title is named: all that is said must be of it, and it must be said for the most part. 0: it is not. */
export const titleFit = (asked: string, title: string): number => {
  const [said, held] = [words(asked), words(title)]
  const share = coverage(held, said)
  return said.length > 0 && coverage(said, held) === 1 && share >= 0.5 ? share : 0
}
