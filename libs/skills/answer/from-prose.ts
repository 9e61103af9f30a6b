import type { Alias, Part, TableSource } from '@plumbline/knowledge/tables'
import { aliasesIn, labelTokens, termsOf } from '@plumbline/knowledge/tables'
import { numbers, overlap, years } from '@plumbline/knowledge/text'
import type { Bearing } from '../reading/bearing'
import { bearings } from '../reading/bearing'
import { needOf } from '../reading/need'
import { unitsOf } from '../reading/units'
import type { Statement } from './statement'

/** Below this a sentence is about something else. */
export const bar = 0.45
const nearBest = 0.85

const statementOf = ({ text, passageId }: { text: string; passageId: string }): Statement => ({ text, passageIds: [passageId] })

/** A list is answered with all of its items. */
const whole = (best: Bearing, all: Bearing[]): Bearing[] => {
  const group = all.filter((unit) => unit.passageId === best.passageId && unit.group === best.group && unit.kind === best.kind)
  return group
}

const fresh = (units: Bearing[]): Bearing[] => units.filter((unit, at) => units.slice(0, at).every((earlier) => overlap(earlier.text, unit.text) < 0.8))

/** The sentences that answer; none when nothing in the passages bears on the question. */
export const fromProse = (question: string, sources: readonly TableSource[], hint: string, most: number): Statement[] => {
  const all = bearings(question, sources, hint)
  const [best] = all
  if (!best || best.score < bar || best.own === 0) return []
  const { want, count } = needOf(question)
  if (want === 'list' && best.kind !== 'sentence') {
    const items = whole(best, all)
    if (items.length > 1 && items.length <= Math.max(most, count ?? 0)) return items.map(statementOf)
  }
  const close = all.filter(({ score, own }) => score >= Math.max(bar, best.score * nearBest) && own > 0)
  return fresh(close).slice(0, Math.min(most, want === 'fact' || want === 'list' || want === 'why' ? 3 : 2)).map(statementOf)
}

const holds = (terms: ReadonlySet<string>, tokens: readonly string[]): boolean => tokens.every((token) => terms.has(token))

const tellsPart = (text: string, part: Part, aliases: readonly Alias[]): boolean => {
  const terms = new Set([...termsOf(text, aliases), ...labelTokens(text)])
  const total = part.metric.reduce((sum, { weight }) => sum + weight, 0)
  const held = part.metric.reduce((sum, { weight, stem }) => sum + (terms.has(stem) ? weight : 0), 0)
  const critical = part.metric.every(({ critical: must, stem }) => !must || terms.has(stem))
  return part.label.every(({ tokens }) => holds(terms, tokens)) && critical && (total === 0 || held / total >= 0.6) && (part.year === null || years(text).includes(part.year))
}

/** A sentence that gives the figure of one part: its row, its measure, its year and a number, all of them. */
export const figureInProse = (part: Part, sources: readonly TableSource[]): Statement | null => {
  const aliases = aliasesIn(sources.map(({ text }) => text))
  const found = sources
    .flatMap(unitsOf)
    .find(({ kind, text, lean }) => kind !== 'row' && tellsPart(`${lean}\n${text}`, part, aliases) && labelled(text, part) && hasFigure(text))
  return found ? statementOf(found) : null
}

const labelled = (text: string, part: Part): boolean => part.label.some(({ tokens }) => holds(new Set(labelTokens(text)), tokens))
const hasFigure = (text: string): boolean => {
  const told = new Set(years(text))
  return numbers(text).some(({ raw, unit }) => /\d/.test(raw) && unit !== 'th' && !told.has(raw))
}
