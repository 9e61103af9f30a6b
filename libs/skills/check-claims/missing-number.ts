import type { Evidence, Working } from '@plumbline/contracts'
import { numbers, years } from '@plumbline/knowledge/text'
import { sameValue } from './quantities'

const told = ({ title, headingPath, text }: Evidence): string => [title, ...headingPath, text].join('\n')

/** A number of the claim that stands in no passage and was not worked out; null: there is none. A figure needs no unit to be there. */
export const missingNumber = (claim: string, passages: Evidence[], workings: Working[]): string | null => {
  const source = passages.map(told).join('\n')
  const worked = workings.flatMap(({ result, inputs }) => [result, ...inputs.map(({ value }) => value)])
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
