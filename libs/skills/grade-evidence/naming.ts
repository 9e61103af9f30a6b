import type { Passage } from '@plumbline/contracts'
import { names, sentences, tokens, words } from '@plumbline/knowledge/text'

const phrase = (text: string): string => ` ${tokens(text).join(' ')} `
const bare = (title: string): string => title.replace(/\([^)]*\)/g, '').trim()

/** A document's title names all its passages, so it counts only as a name; a section's heading counts however it is written. */
const namesTitle = (question: string, title: string, heading: string): boolean => {
  const named = (text: string): boolean => words(text).length > 0 && phrase(question).includes(phrase(text))
  return named(heading) || (named(title) && question.includes(title))
}

/**
 * What the names of a question tell of a passage, added to its relevance: whole ones speak for it, most of all in its title. A name that
 * stands there only in part is another one that looks like it.
 */
export const naming = (question: string, { title, headingPath, text }: Passage): number => {
  const asked = names(question).filter((name) => words(name).length > 0)
  const titles = [title, headingPath.at(-1) ?? title].map(bare)
  const [whom = '', heading = ''] = titles
  const titled = namesTitle(question, whom, heading) ? 0.4 : 0
  if (asked.length === 0) return titled
  const whole = phrase([...titles, text].join('\n'))
  const opening = phrase([...titles, sentences(text)[0] ?? ''].join('\n'))
  const here = new Set(words(whole))
  const share = (held: (name: string) => boolean): number => asked.filter(held).length / asked.length
  const full = share((name) => whole.includes(phrase(name)))
  const alike = share((name) => !whole.includes(phrase(name)) && words(name).some((word) => here.has(word)))
  const early = asked.some((name) => opening.includes(phrase(name)))
  return titled + 0.15 * full - 0.35 * alike + (early ? 0.05 : -0.05)
}
