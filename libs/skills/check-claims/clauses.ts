import { words } from '@plumbline/knowledge/text'

const joint =
  /;\s+|,?\s+(?=(?:but|while|whereas|although|though|because|which|who)\b)|,\s+(?=(?:and|or|so|as|since)\b)|\s+(?=and\s+(?:(?:also|then)\s+)?(?:\w+ed|is|are|was|were|has|have|had|did|does|do|can|could|will|would|may|might|must|its?|he|she|they|his|her|their|in\s+\d)\b)/i

/** The parts of a sentence that each say something of their own. */
export const clausesOf = (sentence: string): string[] =>
  sentence.split(joint).filter((clause) => words(clause).length > 0)

/** Within a name, or before a number, such a word denies nothing: `The Man Without Love`, `no. 5`. */
const denier =
  /\b(?:not(?!\s+only\b)|no(?!\.)|never|none|neither|nor|without|cannot|lacks?)\b|n['’]t\b|^\W*(?:Not|No|Never|None|Neither|Without)\b(?=\s+\p{Ll})/gu

/** What a clause says and what it denies: the words after the one that denies, up to the next comma. */
export const sidesOf = (clause: string): { said: string[]; denied: string[] } => {
  const said: string[] = []
  const denied: string[] = []
  for (const piece of clause.split(/,\s+/)) {
    const [first = '', ...rest] = piece.split(denier)
    said.push(...words(first))
    for (const each of rest) denied.push(...words(each))
  }
  return { said, denied }
}
