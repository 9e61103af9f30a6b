import type { TableSource } from '@plumbline/knowledge/tables'
import { overlap } from '@plumbline/knowledge/text'
import type { Bearing } from '../reading/bearing'
import { bearings } from '../reading/bearing'
import { needOf } from '../reading/need'
import type { Statement } from './statement'

/** Below this a sentence is about something else. */
export const bar = 0.45
const nearBest = 0.85

export const statementOf = ({ text, passageId }: { text: string; passageId: string }): Statement => ({ text, passageIds: [passageId] })

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
