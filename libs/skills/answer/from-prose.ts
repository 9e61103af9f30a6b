import type { TableSource } from '@plumbline/knowledge/tables'
import { overlapOf, words } from '@plumbline/knowledge/text'
import type { Bearing } from '../reading/bearing'
import { barFor, bearings } from '../reading/bearing'
import { needOf } from '../reading/need'
import type { Statement } from './statement'

const nearBest = 0.85
/** From here on the head of a list speaks for its items. */
const leaning = 0.7

export const statementOf = ({ text, passageId }: { text: string; passageId: string }): Statement => ({
  text,
  passageIds: [passageId],
})

/** A list is answered with all of its items. */
const whole = (best: Bearing, all: Bearing[]): Bearing[] => {
  const group = all.filter((unit) => unit.passageId === best.passageId && unit.group === best.group && unit.kind === best.kind)
  return group
}

/** The first that say something else than all before them. */
const fresh = (units: Bearing[], most: number): Bearing[] => {
  const found: Bearing[] = []
  const seen: Set<string>[] = []
  for (const unit of units) {
    if (found.length === most) break
    const own = new Set(words(unit.text))
    if (seen.every((earlier) => overlapOf(earlier, own) < 0.8)) found.push(unit)
    seen.push(own)
  }
  return found
}

/** The sentences that answer; none when nothing in the passages bears on the question. */
export const fromProse = (question: string, sources: readonly TableSource[], hint: string, most: number): Statement[] => {
  const all = bearings(question, sources, hint)
  const [best] = all
  const bar = barFor(question)
  if (!best || best.score < bar || (best.own === 0 && best.score < leaning)) return []
  const { want, count, names } = needOf(question)
  if ((want === 'list' || want === 'why') && best.kind !== 'sentence') {
    const items = whole(best, all)
    if (items.length > 1 && items.length <= Math.max(most, count ?? 0)) return items.map(statementOf)
  }
  const named = ({ text }: Bearing): boolean => names.every((name) => words(text).includes(name))
  const close = all.filter(
    (unit) => unit.score >= Math.max(bar, best.score * nearBest) && unit.own >= 0.6 * best.own && (named(unit) || !named(best)),
  )
  return fresh(close, Math.min(most, want === 'fact' || want === 'list' || want === 'why' ? 3 : 2)).map(statementOf)
}

/** `Compare A with B`: the two sides, each to be told of: `the short and the long form` are two forms. */
export const sidesOf = (request: string): string[] => {
  const match =
    /(?:\bcompare\s+|\bdifferences?\s+between\s+|\bdistinguish\s+)(.+?)\s+(?:and|with|to|from|versus|vs\.?)\s+(.+?)[.?!]*$/i.exec(
      request,
    )
  if (!match) return []
  const [left = '', right = ''] = [match[1], match[2]]
  const noun = right.split(/\s+/).slice(1).at(-1)
  const lacks = /^(?:the\s+)?\p{Ll}\S*$/u.test(left) && noun !== undefined
  return [lacks ? `${left} ${noun}` : left, right]
}
