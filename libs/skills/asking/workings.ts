import type { Passage, Working } from '@plumbline/contracts'
import { evaluate } from '@plumbline/knowledge/arithmetic'
import { strayFigures } from '@plumbline/knowledge/claims'
import type { Numbered } from './passages'
import type { Quote } from './quoting'
import { some } from './passages'

/** The question is a source of figures as any passage is. */
export const asPassage = (text: string): Passage => ({
  id: '',
  documentId: '',
  collection: '',
  title: '',
  text,
  headingPath: [],
  position: 0,
})

/** A number of a formula may stand as a share where its source has a percentage: 0.05 for 5%. */
export const isHeld = (value: number, sources: readonly Passage[]): boolean =>
  [String(Math.abs(value)), `${Number((Math.abs(value) * 100).toPrecision(12))}%`].some(
    (written) => strayFigures(written, [...sources]).length === 0,
  )

/** Takes nothing on trust: the inputs must stand where they are said to, and the formula must give the result. */
export const holds = (
  { formula, inputs, result }: Working,
  question: string,
  evidence: readonly Passage[],
): boolean => {
  const isThere = ({ value, passageId }: Working['inputs'][number]): boolean =>
    passageId === null
      ? isHeld(value, [asPassage(question)])
      : isHeld(
          value,
          evidence.filter(({ id }) => id === passageId),
        )
  const worked = evaluate(formula, Object.fromEntries(inputs.map(({ name, value }) => [name, value])))
  const near = 1e-9 * Math.max(1, Math.abs(result))
  return inputs.every(isThere) && worked.kind === 'worked' && Math.abs(worked.value - result) <= near
}

/** Figures that were worked out, with what they were made of. */
export const workingsQuote = (workings: readonly Working[], passages: readonly Numbered[]): Quote[] => {
  const sourceOf = (passageId: string | null): string => {
    const found = passages.find(({ passage }) => passage.id === passageId)
    return found ? `from passage ${found.n}` : passageId === null ? 'from the question' : 'from a passage not shown'
  }
  const line = ({ result, formula, inputs }: Working): string =>
    `- ${result} = ${formula}, with ${inputs.map(({ name, value, passageId }) => `${name} = ${value} ${sourceOf(passageId)}`).join(', ')}`
  return some('workings', workings.map(line))
}
