import type { Span } from '../text'
import { numbers, spans, stem, stopWords } from '../text'
import type { AskedKey } from './asked'
import type { Mark, Scene } from './scene'
import { gap, isYear, rawOf, take } from './scene'
import type { Table } from './table'
import { cellAt, isMissing, isNumeric } from './table'

const headed = (header: string): string[] =>
  spans(header).flatMap(({ token }) => (/^\p{L}{2,}/u.test(token) && !stopWords.has(token) ? [token] : []))

/** `encoder` is asked for, `enc` is what the header has room for. */
const means = (said: string, header: string): boolean =>
  stem(said) === stem(header) ||
  (Math.min(said.length, header.length) > 2 && (said.startsWith(header) || header.startsWith(said)))

type KeyColumn = { column: number; words: string[]; own: string[] }
const known = new WeakMap<Table, KeyColumn[]>()

/** The columns whose numbers tell rows apart, each with the words of its header and those that no other such column has. */
const keyColumns = (table: Table): KeyColumn[] => {
  const found = known.get(table)
  if (found) return found
  const numbered = (column: number): boolean =>
    table.rows.every((_, row) => [isMissing, isNumeric].some((is) => is(cellAt(table, row, column))))
  const all = table.columns.flatMap(({ kind, header }, column) =>
    kind === 'key' || (kind === 'label' && numbered(column)) ? [{ column, words: headed(header) }] : [],
  )
  const columns = all.map((one) => ({
    ...one,
    own: one.words.filter((word) => all.every((other) => other === one || !other.words.includes(word))),
  }))
  known.set(table, columns)
  return columns
}

const isNumber = (cell: string, value: number): boolean => {
  const held = numbers(cell)
  return held.length === 1 && held[0]?.value === value
}

/** Whether a row is the one with these numbers; a table without such a column has no such row. */
export const hasKeys = (table: Table, row: number, keys: readonly AskedKey[]): boolean =>
  keys.every(({ value, words }) =>
    keyColumns(table).some(
      ({ column, own }) =>
        own.some((word) => words.some((said) => means(said, word))) && isNumber(cellAt(table, row, column), value),
    ),
  )

const run = (scene: Scene, from: number, by: 1 | -1, gaps: RegExp, columns: KeyColumn[]): Span[] => {
  const found: Span[] = []
  for (let at = from; found.length < 3; at += by) {
    const span = scene.all[at]
    const between = gap(scene, by > 0 ? at : at + 1)
    if (
      !span ||
      scene.taken.has(at) ||
      !gaps.test(between) ||
      !columns.some(({ words }) => words.some((word) => means(span.token, word)))
    )
      break
    found.push(span)
  }
  return found.some(({ token }) => columns.some(({ own }) => own.some((word) => means(token, word)))) ? found : []
}

const figure = /^\d+(?:\.\d+)?$/
const joins = new Set(['and', 'or', 'to', 'vs', 'versus'])
const mostJoined = 8

/** The words behind a number, or behind the last of several: `4, 6 and 8 layers`. */
const behindOf = (scene: Scene, first: number, columns: KeyColumn[]): Span[] => {
  for (let [at, seen] = [first, 0]; seen < mostJoined; seen += 1) {
    const own = run(scene, at + 1, 1, /^[ -]$/, columns)
    const next = joins.has(scene.all[at + 1]?.token ?? '') ? at + 2 : /^,\s*$/.test(gap(scene, at + 1)) ? at + 1 : at
    if (
      own.length > 0 ||
      next === at ||
      isYear(scene.all[at]?.token ?? '') ||
      !figure.test(scene.all[next]?.token ?? '')
    )
      return own
    at = next
  }
  return []
}

/** `6 encoder layers`, `enc-layers 6`, `a batch size of 64`: the number a row has in a column that tells rows apart. */
export const keyMarks = (scene: Scene): Mark[] => {
  const columns = scene.vocabulary.tables.flatMap(keyColumns).filter(({ own }) => own.length > 0)
  if (columns.length === 0) return []
  return scene.all.flatMap(({ token }, at): Mark[] => {
    if (!figure.test(token) || scene.taken.has(at)) return []
    const behind = behindOf(scene, at, columns)
    const of = scene.all[at - 1]?.token === 'of' ? 1 : 0
    const before = behind.length > 0 ? [] : run(scene, at - 1 - of, -1, /^[\s:=#-]{0,3}$/, columns)
    if (behind.length + before.length === 0) return []
    const adjacent = behind[0] === scene.all[at + 1] ? behind.length : 0
    const place = { from: before.length > 0 ? at - of - before.length : at, to: at + 1 + adjacent }
    take(scene, place)
    const raw = adjacent === behind.length ? rawOf(scene, place) : [token, ...behind.map((span) => span.raw)].join(' ')
    return [
      {
        kind: 'key',
        ...place,
        key: { raw, value: Number(token), words: [...behind, ...before].map((span) => span.token) },
      },
    ]
  })
}
