import type { Evidence, Working } from '@plumbline/contracts'
import { round } from '@plumbline/knowledge/arithmetic'
import { vocabularyOf } from '@plumbline/knowledge/tables'
import type { Quantity } from '@plumbline/knowledge/text'
import { numbers, years } from '@plumbline/knowledge/text'
import { againstTables } from './against-tables'
import { isApart } from './apart'
import { asserted } from './asserted'
import { sameValue } from './quantities'
import type { Finding } from './verdict'
import { unsupported } from './verdict'

const told = ({ title, headingPath, text }: Evidence): string => [title, ...headingPath, text].join('\n')

const decimals = (raw: string): number => /\.(\d+)/.exec(raw)?.[1]?.length ?? 0

/** As an answer writes it: a figure that was worked out is rounded, one that was read is not. */
const isWorked = ({ value, raw }: Quantity, workings: Working[]): boolean =>
  workings.some(({ result }) => Math.abs(round(result, decimals(raw)) - value) < 1e-9)

/** A number of the claim that stands in no passage and was not worked out; null: there is none. Its unit is the model's to judge. */
const missingNumber = (claim: string, passages: Evidence[], workings: Working[]): string | null => {
  const source = passages.map(told).join('\n')
  const inputs = workings.flatMap((working) => working.inputs.map(({ value }) => value))
  const held = [...numbers(source).map(({ value }) => value), ...inputs]
  const named = years(claim)
  const here = new Set([...years(source), ...inputs.map(String), ...workings.map(({ result }) => `${result}`)])
  const year = named.find((each) => !here.has(each))
  if (year !== undefined) return year
  const figures = numbers(claim).filter(({ raw, unit }) => /\d/.test(raw) && unit !== 'th' && !named.includes(raw))
  const missing = figures.find((figure) => {
    const before = claim.slice(0, claim.indexOf(figure.raw))
    return !isWorked(figure, workings) && !held.some((value) => sameValue(figure, value, before))
  })
  return missing?.raw ?? null
}

/** Where sources are set against each other, a figure may be right by one table and wrong by another. */
const contrast = /\b(?:while|whereas|but|although|however|contradict|disagree|differ|conflict)\w*\b/i

/**
 * Numbers, cells and words are a matter of code. A model that supports a number which stands nowhere, a figure of another row, year or
 * column, or a sentence about something else, is overruled; what it does not support is never lifted.
 */
export const overrule = (sentence: string, passages: Evidence[], workings: Working[]): Finding | null => {
  const claim = asserted(sentence)
  const missing = missingNumber(claim, passages, workings)
  if (missing !== null) return unsupported(`${missing} stands in none of the passages it cites.`)
  if (numbers(claim).some((figure) => isWorked(figure, workings))) return null
  if (isApart(sentence, passages.map(told).join('\n'))) return unsupported('The passages it cites are about something else.')
  if (passages.length > 1 && contrast.test(claim)) return null
  return againstTables(claim, vocabularyOf(passages))?.find(({ verdict }) => verdict === 'contradicted') ?? null
}
