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

const sourceOf = (passages: Evidence[]): string => passages.map(told).join('\n')

/** A year of the claim that stands nowhere; null: there is none. */
const missingYear = (claim: string, source: string, workings: Working[]): string | null => {
  const worked = workings.flatMap(({ result, inputs }) => [result, ...inputs.map(({ value }) => value)])
  const here = new Set([...years(source), ...worked.map(String)])
  return years(claim).find((each) => !here.has(each)) ?? null
}

/** A figure of the claim that stands nowhere and was not worked out; null: there is none. Its unit is the model's to judge. */
const missingFigure = (claim: string, source: string, workings: Working[]): string | null => {
  const held = [
    ...numbers(source).map(({ value }) => value),
    ...workings.flatMap(({ inputs }) => inputs.map(({ value }) => value)),
  ]
  const named = years(claim)
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
  const source = sourceOf(passages)
  const missing = missingYear(claim, source, workings) ?? missingFigure(claim, source, workings)
  if (missing !== null) return unsupported(`${missing} stands in none of the passages it cites.`)
  if (numbers(claim).some((figure) => isWorked(figure, workings))) return null
  if (isApart(sentence, source)) return unsupported('The passages it cites are about something else.')
  if (passages.length > 1 && contrast.test(claim)) return null
  return againstTables(claim, vocabularyOf(passages))?.find(({ verdict }) => verdict === 'contradicted') ?? null
}

/** What is said to be unreported may have the figures of its question; any other that it tells must stand in the evidence. */
export const overruleAbsence = (
  claim: string,
  question: string,
  evidence: Evidence[],
  workings: Working[],
): Finding | null => {
  const missing = missingFigure(claim, `${question}\n${sourceOf(evidence)}`, workings)
  return missing === null ? null : unsupported(`${missing} stands in no passage of the evidence.`)
}
