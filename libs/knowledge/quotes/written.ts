import { cutMark } from '../chunking/split-table'
import type { Part, Unit } from './units'

/** What stands between two quoted parts: what the passage has there, or a mark where that is more than blanks; a table is not broken by one. */
const between = (text: string, before: Part, next: Part, kind: Unit['kind'] | undefined): string => {
  const gap = text.slice(before.to, next.from)
  if (gap.trim() === '') return gap
  if (kind === 'row') return '\n'
  return kind === 'code' ? `\n${cutMark}\n` : `\n\n${cutMark}\n\n`
}

/** Units of a passage as they are quoted: in order, with what must stand above them. */
export const written = (text: string, units: readonly Unit[]): string => {
  const kinds = new Map<number, Unit['kind']>()
  const parts = new Map<number, Part>()
  for (const unit of units) {
    for (const part of [...unit.frame, unit]) parts.set(part.from, part)
    kinds.set(unit.from, unit.kind)
    const close = unit.frame.at(-1)
    if (unit.kind === 'code' && close && close.from > unit.from) kinds.set(close.from, 'code')
  }
  const ordered = [...parts.values()].sort((a, b) => a.from - b.from)
  return ordered
    .map((part, at) => {
      const before = ordered[at - 1]
      return (before ? between(text, before, part, kinds.get(part.from)) : '') + text.slice(part.from, part.to)
    })
    .join('')
}
