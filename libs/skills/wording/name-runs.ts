import { askWords, fold, stopWords } from '@plumbline/knowledge/text'

const capital = /^["“'‘(]?\p{Lu}/u
const opener =
  /^(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|compare|contrast|list|retrieve|give|show|tell|find|besides|also|and|please|in|of|for|at|on|the|a|an)$/i

/** Names in a question, one by one: a run of capitals, or something quoted. `A and B` are two; small words inside a run are kept. */
export const nameRuns = (text: string): string[] => {
  const found: string[] = []
  for (const match of text.matchAll(/"([^"]+)"|“([^”]+)”/g)) found.push(match[1] ?? match[2] ?? '')
  const plain = text.replace(/"[^"]+"|“[^”]+”/g, ' , ')
  let run: string[] = []
  const close = (): void => {
    if (run.length > 0) found.push(run.join(' ').replace(/['’]s?$/, ''))
    run = []
  }
  const all = plain.split(/\s+/).filter((word) => word !== '')
  for (const [index, raw] of all.entries()) {
    const word = raw.replace(/^[("'‘]+|[)?!,;:"]+$/g, '').replace(/\.$/, '')
    const plainWord = fold(word)
    const lower = index === 0 && (opener.test(word) || stopWords.has(plainWord) || askWords.has(plainWord))
    if (capital.test(word) && !lower && !(run.length === 0 && opener.test(word) && word.length < 4)) run.push(word)
    else if (
      run.length > 0 &&
      !/^[\p{Lu}\p{N}-]+$/u.test(run.at(-1) ?? '') &&
      /^(?:of|de|da|del|van|von)$/.test(word) &&
      capital.test(all[index + 1] ?? '')
    )
      run.push(word)
    else close()
    if (/[,;:?!]$/.test(raw) || /['’]s$/.test(word)) close()
  }
  close()
  return [...new Set(found.filter((name) => name !== ''))]
}
