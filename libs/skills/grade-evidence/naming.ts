import type { Passage } from '@plumbline/contracts'
import { names, sentences, tokens, words } from '@plumbline/knowledge/text'

const phrase = (text: string): string => ` ${tokens(text).join(' ')} `
const bare = (title: string): string => title.replace(/\([^)]*\)/g, '').trim()

/** A title counts as named only where the question writes it as a name: `history` names no section called History. */
const namesTitle = (question: string, titles: string[]): boolean => {
  const written = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `
  return titles.some((title) => words(title).length > 0 && written(question).includes(written(title)))
}

/**
 * What the names of a question tell of a passage, added to its relevance: whole ones speak for it, most of all in its title. A name that
 * stands there only in part is another one that looks like it.
 */
export const naming = (question: string, { title, headingPath, text }: Passage): number => {
  const asked = names(question).filter((name) => words(name).length > 0)
  if (asked.length === 0) return 0
  const titles = [title, headingPath.at(-1) ?? ''].map(bare)
  const whole = phrase([...titles, text].join('\n'))
  const opening = phrase([...titles, sentences(text)[0] ?? ''].join('\n'))
  const here = new Set(words(whole))
  const share = (held: (name: string) => boolean): number => asked.filter(held).length / asked.length
  const full = share((name) => whole.includes(phrase(name)))
  const alike = share((name) => !whole.includes(phrase(name)) && words(name).some((word) => here.has(word)))
  const early = asked.some((name) => opening.includes(phrase(name)))
  return (namesTitle(question, titles) ? 0.4 : 0) + 0.15 * full - 0.35 * alike + (early ? 0.05 : -0.05)
}
