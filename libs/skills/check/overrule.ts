import type { Passage, Working } from '@plumbline/contracts'
import { strayAddresses, strayFigures } from '@plumbline/knowledge/claims'
import { asPassage } from '../asking/workings'

type Scene = { question: string; workings: readonly Working[] }

/** What two braces still hold was never worked out. */
const isUnworked = (text: string): boolean => text.includes('{{')

/**
 * The only matters in which code knows better than a model that supports a claim: figures and addresses that stand nowhere in what
 * it cites, in a working that holds, or in the question. Says what is wrong, so that the next draft can put it right.
 */
export const overrule = (raw: string, cited: Passage[], { question, workings }: Scene): string | null => {
  const addresses = strayAddresses(raw, cited)
  if (addresses.length > 0) return `${addresses.join(', ')} stands in none of the passages it cites.`
  const known = workings.flatMap(({ result, inputs }) => [result, ...inputs.map(({ value }) => value)])
  const figures = strayFigures(raw, [...cited, asPassage(question)], known)
  if (figures.length > 0)
    return `${figures.join(', ')} stands in none of the passages it cites, and is no figure that was worked out.`
  return isUnworked(raw) ? 'It holds a calculation that could not be worked out.' : null
}
