import type { Evidence, Working } from '@plumbline/contracts'
import { vocabularyOf } from '@plumbline/knowledge/tables'
import { numbers, years } from '@plumbline/knowledge/text'
import { againstTables } from './against-tables'
import { sameValue } from './quantities'
import type { Finding } from './verdict'
import { unsupported } from './verdict'

const told = ({ title, headingPath, text }: Evidence): string => [title, ...headingPath, text].join('\n')
const valuesOf = (workings: Working[]): number[] => workings.flatMap(({ result, inputs }) => [result, ...inputs.map(({ value }) => value)])

/** A number of the claim that stands in no passage and was not worked out; null: there is none. Its unit is the model's to judge. */
const missingNumber = (claim: string, passages: Evidence[], worked: number[]): string | null => {
  const source = passages.map(told).join('\n')
  const held = [...numbers(source).map(({ value }) => value), ...worked]
  const named = years(claim)
  const here = new Set([...years(source), ...worked.map(String)])
  const year = named.find((each) => !here.has(each))
  if (year !== undefined) return year
  const figures = numbers(claim).filter(({ raw, unit }) => /\d/.test(raw) && unit !== 'th' && !named.includes(raw))
  const missing = figures.find((figure) => {
    const before = claim.slice(0, claim.indexOf(figure.raw))
    return !held.some((value) => sameValue(figure, value, before))
  })
  return missing?.raw ?? null
}

const usesWorking = (claim: string, workings: Working[]): boolean =>
  numbers(claim).some((figure) => workings.some(({ result }) => sameValue(figure, result, claim.slice(0, claim.indexOf(figure.raw)))))

/**
 * Numbers and cells are a matter of code. A model that supports a number which stands nowhere, or a figure of another row, year or
 * column, is overruled; what it does not support is never lifted.
 */
export const overrule = (claim: string, passages: Evidence[], workings: Working[]): Finding | null => {
  const missing = missingNumber(claim, passages, valuesOf(workings))
  if (missing !== null) return unsupported(`${missing} stands in none of the passages it cites.`)
  if (usesWorking(claim, workings)) return null
  return againstTables(claim, vocabularyOf(passages))?.find(({ verdict }) => verdict === 'contradicted') ?? null
}
