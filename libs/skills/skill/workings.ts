import type { Passage, Working } from '@plumbline/contracts'
import { readFormula } from '@plumbline/knowledge/arithmetic'
import { scalesOf, strayFigures } from '@plumbline/knowledge/claims/figures'
import { fold } from '@plumbline/knowledge/text'
import { type NumberedPassage, type Quote, quoteLines } from './prompt'

/** Wraps a text as a passage, because the functions that search for numbers accept only passages. */
export const asPassage = (text: string): Passage => ({
  id: '',
  documentId: '',
  collection: '',
  title: '',
  text,
  headingPath: [],
  position: 0,
})

/** Returns whether a source contains the number. A formula may contain 0.05 where the source says "5%". */
const isWrittenIn = (value: number, sources: readonly Passage[]): boolean =>
  [String(Math.abs(value)), `${Number((Math.abs(value) * 100).toPrecision(12))}%`].some(
    (written) => strayFigures(written, [...sources]).length === 0,
  )

/** Returns whether a source contains the number, also with a scale. For example, 5 occurs in "5 thousand". */
export const isNumberIn = (value: number, sources: readonly Passage[]): boolean =>
  isWrittenIn(value, sources) || scalesOf(value, sources).length > 0

const sourcesOf = (
  { passageId }: Working['inputs'][number],
  question: string,
  evidence: readonly Passage[],
): readonly Passage[] => (passageId === null ? [asPassage(question)] : evidence.filter(({ id }) => id === passageId))

/**
 * Returns the numbers that a text with this calculation may state: the inputs, and the result, also in the scale of the
 * inputs (such as thousands).
 */
export const valuesOf = ({ inputs, result }: Working, question: string, evidence: readonly Passage[]): number[] => {
  const found = inputs.map((input) => ({ value: input.value, sources: sourcesOf(input, question, evidence) }))
  const plain = found.filter(({ value, sources }) => sources.length === 0 || isWrittenIn(value, sources))
  const sizes = new Set(found.flatMap(({ value, sources }) => scalesOf(value, sources)))
  const scaled = [...sizes].map((size) => result * size)
  return [...(plain.length === inputs.length ? [result] : []), ...scaled, ...plain.map(({ value }) => value)]
}

const flat = (text: string): string => fold(text).replace(/\s+/g, ' ').trim()

/** Returns whether the passages contain all items. Returns false if an item is listed twice. */
export const areInPassages = (items: readonly string[], passages: readonly Passage[]): boolean => {
  const told = passages.map(({ text }) => flat(text)).join('\n')
  return new Set(items.map(flat)).size === items.length && items.every((item) => told.includes(flat(item)))
}

export const workingHolds = async (
  { formula, inputs, result }: Working,
  question: string,
  evidence: readonly Passage[],
): Promise<boolean> => {
  const isThere = (input: Working['inputs'][number]): boolean =>
    isNumberIn(input.value, sourcesOf(input, question, evidence))
  const worked = await readFormula(formula, Object.fromEntries(inputs.map(({ name, value }) => [name, value])))
  const near = 1e-9 * Math.max(1, Math.abs(result))
  if (worked.kind !== 'worked' || !areInPassages(worked.items, evidence)) return false
  return inputs.every(isThere) && Math.abs(worked.value - result) <= near
}

export const workingsQuote = (workings: readonly Working[], passages: readonly NumberedPassage[]): Quote[] => {
  const sourceOf = (passageId: string | null): string => {
    const found = passages.find(({ passage }) => passage.id === passageId)
    return found ? `from passage ${found.n}` : passageId === null ? 'from the question' : 'from a passage not shown'
  }
  const given = (inputs: Working['inputs']): string =>
    inputs.map(({ name, value, passageId }) => `${name} = ${value} ${sourceOf(passageId)}`).join(', ')
  const line = ({ result, formula, inputs }: Working): string =>
    `- ${result} = ${formula}${inputs.length > 0 ? `, with ${given(inputs)}` : ''}`
  return quoteLines('workings', workings.map(line))
}
