import {
  countIn,
  partsOf,
  evidenceLines,
  sharedWords,
  withoutMarks,
  type PromptContent,
  type ShownPassage,
} from './prompt-content'

const absence = 'The documents do not report this'
const mostSentences = 3

type DraftSentence = { text: string; n: number; shared: number }

const closestIn = (passage: ShownPassage, question: string, isNew: (text: string) => boolean): DraftSentence[] => {
  const places = evidenceLines(passage).filter(({ text, telling }) => telling && isNew(text))
  const said = places.map(({ text, words }) => ({
    text,
    n: passage.n,
    shared: sharedWords(question, `${passage.head}\n${words}`).length,
  }))
  return said.sort((a, b) => b.shared - a.shared).slice(0, 1)
}

const closest = (question: string, passages: ShownPassage[], isNew: (text: string) => boolean): DraftSentence[] => {
  const said = passages.flatMap((passage) => closestIn(passage, question, isNew))
  const most = Math.max(1, ...said.map(({ shared }) => shared))
  return said.filter(({ shared }) => shared === most)
}

const cited = ({ text, n }: { text: string; n: number }): string => `${text.replace(/[.!:;。]+$/u, '')} [${n}].`

export const draft = ({ one, passages, task }: PromptContent): string => {
  const before = withoutMarks(`${one('beginning')}\n${one('did not stand')}`)
  const isNew = (text: string): boolean => !before.includes(text)
  const found = partsOf(one('question'), mostSentences).map((part) => closest(part, passages, isNew))
  const inTurn = [...found.flatMap((said) => said.slice(0, 1)), ...found.flatMap((said) => said.slice(1))]
  const once = inTurn.filter(({ text }, at) => inTurn.findIndex((other) => other.text === text) === at)
  const said = once.slice(0, Math.min(mostSentences, countIn(task, 'sentence') ?? mostSentences))
  const nothing = { text: absence, n: passages[0]?.n ?? 1 }
  return (said.length > 0 ? said : [nothing]).map(cited).join(' ')
}

/** Returns a short answer: the first name or number of the first passage that is not in the question. */
export const shortAnswer = ({ one, passages }: PromptContent) => {
  const question = one('question').toLowerCase()
  const [first] = passages
  const found = (first ? evidenceLines(first) : []).flatMap(({ text }) =>
    Array.from(text.matchAll(/\p{Lu}[\p{L}\p{N}’'-]*(?: \p{Lu}[\p{L}\p{N}’'-]*)*|\d[\d.,]*\d|\d/gu)),
  )
  const fresh = found.filter(([value]) => !question.includes(value.toLowerCase()))
  // Prefer later matches, because a capital letter at the beginning of a sentence may not belong to a name.
  const inside = fresh.find(({ index }) => index > 0) ?? fresh[0]
  return { value: inside?.[0] ?? null }
}

const date = /\d{4}-\d\d-\d\d/

/**
 * Returns the value of a parameter. A line is like `- name: what it is. A number. One of: a, b. Must fit the pattern
 * c.`
 */
const valueIn = (question: string, line: string): string | undefined => {
  const listed = / One of: (.*?)\.(?: |$)/.exec(line)?.[1]
  const pattern = / Must fit the pattern (.*)\.$/.exec(line)?.[1]
  if (listed !== undefined) {
    const standing = listed.split(', ').filter((value) => question.toLowerCase().includes(value.toLowerCase()))
    return standing.sort((a, b) => b.length - a.length)[0]
  }
  if (pattern !== undefined) return new RegExp(pattern.replace(/^\^|\$$/g, '')).exec(question)?.[0]
  if (line.includes(' A date,')) return date.exec(question)?.[0]
  return / A (?:whole )?number\./.test(line) ? /\d+/.exec(question.replace(date, ''))?.[0] : undefined
}

const filledIn = (question: string, text: string) => {
  const [name = '', description = '', ...params] = text.split('\n')
  const values = params.flatMap((line) => {
    const value = valueIn(question, line)
    return value === undefined ? [] : [{ name: /^- (\w+):/.exec(line)?.[1] ?? '', value }]
  })
  const fits = params.length > 0 ? values.length === params.length : sharedWords(question, description).length > 0
  return fits ? [{ name, values }] : []
}

/** Fills in the parameters of lookups. A lookup without parameters must share a long word with the question. */
export const fillLookup = ({ one, all }: PromptContent) => ({
  lookups: all.filter(({ name }) => name === 'lookup').flatMap(({ text }) => filledIn(one('question'), text)),
})
