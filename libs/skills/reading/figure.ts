import type { Alias, Part, TableSource } from '@plumbline/knowledge/tables'
import { aliasesIn, labelTokens, termsOf } from '@plumbline/knowledge/tables'
import { numbers, years } from '@plumbline/knowledge/text'
import type { Unit } from './units'
import { unitsOf } from './units'

const holds = (terms: ReadonlySet<string>, tokens: readonly string[]): boolean =>
  tokens.every((token) => terms.has(token))

const tells = (text: string, part: Part, aliases: readonly Alias[]): boolean => {
  const terms = new Set([...termsOf(text, aliases), ...labelTokens(text)])
  const total = part.metric.reduce((sum, { weight }) => sum + weight, 0)
  const held = part.metric.reduce((sum, { weight, stem }) => sum + (terms.has(stem) ? weight : 0), 0)
  const critical = part.metric.every(({ critical: must, stem }) => !must || terms.has(stem))
  const enough = critical && (total === 0 || held / total >= 0.6)
  return (
    enough &&
    part.label.every(({ tokens }) => holds(terms, tokens)) &&
    (part.year === null || years(text).includes(part.year))
  )
}

const named = (text: string, part: Part): boolean =>
  part.label.some(({ tokens }) => holds(new Set(labelTokens(text)), tokens))

const hasFigure = (text: string): boolean => {
  const told = new Set(years(text))
  return numbers(text).some(({ raw, unit }) => /\d/.test(raw) && unit !== 'th' && !told.has(raw))
}

/** A sentence that gives the figure of one part: its row, its measure, its year and a number, all of them. */
export const figureInProse = (part: Part, sources: readonly TableSource[]): Unit | null => {
  if (part.keys.length > 0) return null
  const aliases = aliasesIn(sources.map(({ text }) => text))
  const units = sources.flatMap(unitsOf).filter(({ kind }) => kind !== 'row')
  return (
    units.find(({ text, lean }) => tells(`${lean}\n${text}`, part, aliases) && named(text, part) && hasFigure(text)) ??
    null
  )
}
