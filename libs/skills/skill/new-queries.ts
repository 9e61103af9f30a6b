import { tokens } from '@plumbline/knowledge/text'

const key = (query: string): string => tokens(query).join(' ')

export const newQueries = (question: string, queries: readonly string[], most: number): string[] => {
  const seen = new Set(['', key(question)])
  return queries
    .map((query) => query.trim())
    .filter((query) => !seen.has(key(query)) && seen.add(key(query)))
    .slice(0, most)
}
