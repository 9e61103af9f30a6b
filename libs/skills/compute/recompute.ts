import type { Evidence, Working } from '@plumbline/contracts'
import { evaluate, figure, partsOfFormula, round, Unworkable, writeFormula } from '@plumbline/knowledge/arithmetic'
import type { Quantity } from '@plumbline/knowledge/text'
import { coverage, fold, names, numbers, withoutCitations, words } from '@plumbline/knowledge/text'
import type { Finding } from '../check-claims/verdict'
import { contradicted, supported, unsupported } from '../check-claims/verdict'
import { isKnown, standsIn, textOf } from './sources'
import { passagesOf, valuesOf, withUnit } from './working'

export type Sources = { question: string; evidence: Evidence[] }
type Recomputed = { kind: 'worked'; value: number } | { kind: 'unfounded'; why: string }

/** An input that does not stand where it is said to have been read. */
const strayInput = ({ inputs }: Working, { question, evidence }: Sources): string | null => {
  for (const { name, value, passageId } of inputs) {
    const source =
      passageId === null
        ? question
        : evidence
            .filter(({ id }) => id === passageId)
            .map(textOf)
            .join('\n')
    if (!standsIn(source, value))
      return `${name} = ${figure(value)} does not stand in ${passageId === null ? 'the question' : 'the passage it is said to be from'}.`
  }
  return null
}

/** A number in the formula itself that nobody gave. */
const strayNumber = (working: Working, { question, evidence }: Sources): string | null => {
  const from = [question, ...evidence.filter(({ id }) => passagesOf(working).includes(id)).map(textOf)]
  const stray = partsOfFormula(working.formula).numbers.find(
    (value) => !isKnown(value) && value !== working.inputs.length && !from.some((text) => standsIn(text, value)),
  )
  return stray === undefined
    ? null
    : `The formula holds ${figure(stray)}, which stands neither in the question nor in a passage it reads.`
}

/** Takes nothing on trust: the inputs must stand where they are said to, and the formula is worked out anew. */
export const recompute = (working: Working, sources: Sources): Recomputed => {
  try {
    const why = strayInput(working, sources) ?? strayNumber(working, sources)
    if (why !== null) return { kind: 'unfounded', why }
  } catch (error) {
    if (error instanceof Unworkable) return { kind: 'unfounded', why: `The formula cannot be read: ${error.message}.` }
    throw error
  }
  const worked = evaluate(working.formula, valuesOf(working.inputs))
  return worked.kind === 'worked' ? worked : { kind: 'unfounded', why: `The formula gives nothing: ${worked.why}.` }
}

const decimals = (raw: string): number => /\.(\d+)/.exec(raw)?.[1]?.length ?? 0

/** A figure may be rounded where it is written, if hardly anything is lost by it. */
const states = ({ value, raw }: Quantity, right: number): boolean => {
  const close = Math.abs(value - right) <= 1e-9 * Math.max(1, Math.abs(right))
  return (
    close ||
    (Math.abs(round(right, decimals(raw)) - value) < 1e-9 && Math.abs(value - right) <= 0.005 * Math.abs(right))
  )
}

const figuresIn = (text: string): Quantity[] =>
  numbers(withoutCitations(text)).filter(({ raw, unit }) => /\d/.test(raw) && unit !== 'th')

/** The figures of a claim that are none of what the working was made of. */
const strayFigures = (figures: Quantity[], { what, formula, inputs }: Working, question: string): Quantity[] => {
  const made = [...inputs.map(({ value }) => value), ...partsOfFormula(formula).numbers]
  const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9
  const given = `${question}\n${what}`
  return figures.filter(
    ({ value }) => !made.some((part) => near(part, value) || near(part * 100, value)) && !standsIn(given, value),
  )
}

/** Nothing else is claimed beside the figure: no name and hardly a word that is not of the working or of what it reads. */
const saysOnly = (claim: string, { what, inputs }: Working, { question, evidence }: Sources): boolean => {
  const ids = inputs.map(({ passageId }) => passageId)
  const read = evidence.filter(({ id }) => ids.includes(id)).map(textOf)
  const source = [
    question,
    what,
    ...inputs.map(({ name, unit = '' }) => `${name.replaceAll('_', ' ')} ${unit}`),
    ...read,
  ].join('\n')
  const held = new Set(words(source))
  const spoken = words(claim).filter((word) => !/\d/.test(word))
  return (
    names(claim).every((name) => fold(source).includes(fold(name)) || words(name).every((word) => held.has(word))) &&
    (spoken.length === 0 || coverage(spoken, [...held]) >= 0.5)
  )
}

const againstOne = (claim: string, working: Working, sources: Sources): Finding | null => {
  const figures = figuresIn(claim)
  const spoken = words(working.what)
  const named = spoken.length > 0 && coverage(spoken, words(claim)) >= 0.8
  const shown = claim.includes('=') && working.inputs.every(({ value }) => standsIn(claim, value))
  const repeats = figures.some((quantity) => states(quantity, working.result))
  if (!named && !shown && !repeats) return null
  const [passageId = null] = passagesOf(working)
  const again = recompute(working, sources)
  if (again.kind === 'unfounded')
    return repeats || shown
      ? unsupported(`It was worked out, but ${again.why.charAt(0).toLowerCase()}${again.why.slice(1)}`, passageId)
      : null
  const sum = `${writeFormula(working.formula, valuesOf(working.inputs))} = ${withUnit(again.value, working.unit)}`
  const stray = strayFigures(
    figures.filter((quantity) => !states(quantity, again.value)),
    working,
    sources.question,
  )
  const stated = figures.filter((quantity) => states(quantity, again.value))
  if (stated.length === 0) return stray.length > 0 ? contradicted(`Worked out anew, ${sum}.`, passageId) : null
  const otherUnit = stated.every(
    ({ unit }) => unit === '%' && working.unit !== '%' && working.unit !== 'percentage points',
  )
  if (otherUnit) return contradicted(`Worked out anew, ${sum}, not a percentage.`, passageId)
  return stray.length === 0 && saysOnly(claim, working, sources)
    ? supported(`Worked out anew: ${sum}.`, passageId)
    : null
}

/** What the workings say of a claim; null where it is about none of them, or claims more than a worked figure. */
export const checkWorked = (claim: string, workings: Working[], sources: Sources): Finding | null => {
  const findings = workings.flatMap((working) => againstOne(claim, working, sources) ?? [])
  return (
    findings.find(({ verdict }) => verdict === 'supported') ??
    findings.find(({ verdict }) => verdict === 'contradicted') ??
    findings[0] ??
    null
  )
}
