/** A reranker reads a query and a document in one go; what is longer it would cut by itself, or refuse. */
const longest = { query: 2_000, document: 16_000 }
const nothing = '—'

/** As rerankers take it: not empty, not too long, no half of a character. */
export const readable = (text: string, as: keyof typeof longest): string =>
  text.trim() === '' ? nothing : text.slice(0, longest[as]).toWellFormed()
