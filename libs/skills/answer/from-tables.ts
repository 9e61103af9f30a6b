import type { Cell, Part, Vocabulary } from '@plumbline/knowledge/tables'
import { cellAt, contextOf, extremes, find, isMissing, numberIn, rowName, termsOf } from '@plumbline/knowledge/tables'
import { subjectWords, words } from '@plumbline/knowledge/text'
import { boundIn, unbounded } from '../reading/bound'
import type { Lookup } from '../reading/lookup'
import type { Statement } from './statement'
import { absentSentence, measureName, rankSentence, rowTitle, subject, valueSaid, valueSentence } from './table-wording'

const valueStatement = (cell: Cell, part: Part): Statement => ({
  text: valueSentence(cell, part),
  passageIds: [cell.table.passageId],
  cell: { of: subject(cell, part), said: valueSaid(cell), cell },
})

const unique = (cells: Cell[]): Cell[] =>
  cells.filter(
    (cell, at) =>
      cells.findIndex(
        (other) =>
          other.text === cell.text &&
          other.year === cell.year &&
          other.row === cell.row &&
          other.table.name === cell.table.name,
      ) === at,
  )

/** Many rows, one measure: they share a sentence. */
const listStatement = (cells: Cell[], part: Part): Statement => {
  const [first] = cells
  const passageIds = [...new Set(cells.map(({ table }) => table.passageId))]
  if (!first) return { text: absentSentence(part, null), passageIds }
  const named = cells.slice(0, 20).map((cell) => `${rowTitle(cell, part)} ${cell.text}`)
  const year = part.year === null ? '' : ` in ${part.year}`
  // One of several tables does not speak for all: it is named.
  const [number] = passageIds.length > 1 ? [] : (/^\W*table\s+\d+(?:[.-]\d+)?/i.exec(first.table.name) ?? [])
  const where = number === undefined ? '' : ` in ${number.replace(/^\W*/, '')}`
  return { text: `${measureName(first, part)}${year}${where}: ${named.join(', ')}`, passageIds }
}

const rowsAsked = /^(?:which|what|list|name|show|give|how many|number)\b/i

/** `Which rows are above 90?`: the figures asked for are bounds on the cells, not words of the measure. Of one row its cell is told, whichever side it is on. */
const bounded = ({ request, part }: Lookup, vocabulary: Vocabulary): Statement[] => {
  const bound = boundIn(request, true)
  if (!bound || part.rank !== null) return []
  const free = unbounded(part, bound)
  // As in a ranking, rows are picked by what they share.
  const sharing = rowsAsked.test(request.trim()) ? find({ ...free, rank: 'highest' }, vocabulary).cells : []
  const told = unique(
    (sharing.length > 0 ? sharing : find(free, vocabulary).cells).filter((cell) => numberIn(cell) !== null),
  )
  if (sharing.length === 0 && part.label.length > 0) return told.map((cell) => valueStatement(cell, part))
  const held = told.filter((cell) => bound.passes(numberIn(cell) ?? NaN))
  return held.length > 0 ? [listStatement(held, part)] : []
}

const unreported =
  /\b(?:no|without|lack\w*|missing|not (?:have|report\w*|give\w*|publish\w*|disclose\w*)|n['’]t (?:have|report|give|publish|disclose))\b/i

/** `Which rows have no value for 2023?` */
const gaps = ({ request, part, resolution }: Lookup): Statement[] | null => {
  if (
    !rowsAsked.test(request.trim()) ||
    !unreported.test(request) ||
    part.label.length > 0 ||
    part.rank !== null ||
    boundIn(request)
  )
    return null
  const columns = unique(resolution.cells).filter(
    (cell, at, all) => all.findIndex(({ table, column }) => table === cell.table && column === cell.column) === at,
  )
  return columns.flatMap((cell): Statement[] => {
    const rows = cell.table.rows.flatMap((_, row) =>
      isMissing(cellAt(cell.table, row, cell.column)) ? [rowTitle({ ...cell, row }, part)] : [],
    )
    const text = `${measureName(cell, part)}${cell.year === null ? '' : ` in ${cell.year}`} is not reported for ${rows.join(', ')}`
    return rows.length > 0 ? [{ text, passageIds: [cell.table.passageId] }] : []
  })
}

export const statementsOf = (lookup: Lookup, vocabulary: Vocabulary): Statement[] => {
  const { part, resolution } = lookup
  const missing = gaps(lookup)
  if (missing) return missing
  const told = unique(resolution.cells.filter(({ missing }) => !missing))
  if (told.length === 0) return bounded(lookup, vocabulary)
  if (part.rank !== null) {
    const edge = extremes(told, part.rank)
    const oneRow = told.every(({ table, row }) => table === told[0]?.table && row === told[0].row)
    return edge.length === 0
      ? []
      : [
          {
            text: rankSentence(edge, part, oneRow),
            passageIds: [...new Set([...edge, ...told].map(({ table }) => table.passageId))],
          },
        ]
  }
  const rows = new Set(told.map(({ table, row }) => `${table.name}|${row}`))
  return part.label.length === 0 && rows.size > 3
    ? [listStatement(told, part)]
    : told.map((cell) => valueStatement(cell, part))
}

const rising =
  /\b(?:chang|differ|increas|decreas|grow|grew|rise|rose|fall|fell|drop|improv|declin|develop|evolv|trend)/i

/** From the first year asked for to the last, where the question is about the change. */
export const changeStatement = (question: string, lookups: Lookup[]): Statement[] => {
  const cells = lookups.flatMap(({ part, resolution }) =>
    part.rank === null ? resolution.cells.slice(0, 1).map((cell) => ({ cell, part })) : [],
  )
  const [from, to] = [cells[0], cells.at(-1)]
  const sameRow =
    from &&
    to &&
    from.cell.table === to.cell.table &&
    from.cell.row === to.cell.row &&
    from.cell.column !== to.cell.column
  if (!rising.test(question) || !sameRow || from.cell.year === null || to.cell.year === null) return []
  const [before, after] = [numberIn(from.cell), numberIn(to.cell)]
  if (before === null || after === null) return []
  const verb = after > before ? 'rose' : after < before ? 'fell' : 'stayed the same'
  const text = `${subject(from.cell, from.part)} ${verb} from ${from.cell.text} in ${from.cell.year} to ${to.cell.text} in ${to.cell.year}`
  return [{ text, passageIds: [from.cell.table.passageId] }]
}

const comparing = /\b(?:compar|higher|lower|more|less|larger|smaller|greater|bigger|fewer|versus|vs|differ)/i

/** Two rows of one measure side by side, where the question compares. */
export const comparison = (question: string, lookups: Lookup[]): Statement[] => {
  const cells = lookups.flatMap(({ part, resolution }) =>
    resolution.cells.length === 1 && part.rank === null ? resolution.cells.map((cell) => ({ cell, part })) : [],
  )
  if (!comparing.test(question)) return []
  return cells.flatMap((left, at) =>
    cells.slice(at + 1).flatMap((right): Statement[] => {
      const alike =
        left.cell.year === right.cell.year &&
        left.cell.row !== right.cell.row &&
        left.cell.table.columns[left.cell.column]?.header === right.cell.table.columns[right.cell.column]?.header
      const [a, b] = [numberIn(left.cell), numberIn(right.cell)]
      if (
        !alike ||
        a === null ||
        b === null ||
        a === b ||
        subject(left.cell, left.part).split(' of ')[0] !== subject(right.cell, right.part).split(' of ')[0]
      )
        return []
      const [high, low] = a > b ? [left, right] : [right, left]
      const year = high.cell.year === null ? '' : ` in ${high.cell.year}`
      const lowRow = subject(low.cell, low.part).split(' of ').slice(1).join(' of ')
      const text = `${subject(high.cell, high.part)} (${high.cell.text})${year} is higher than that of ${lowRow} (${low.cell.text})`
      return [{ text, passageIds: [...new Set([high.cell.table.passageId, low.cell.table.passageId])] }]
    }),
  )
}

/** `What are the types of memory?`: the rows' names of the table whose first column is headed so. */
export const rowList = (question: string, { tables, aliases }: Vocabulary): Statement[] => {
  const terms = termsOf(question, aliases)
  const asked = subjectWords(question)
  return tables
    .flatMap((table): Statement[] => {
      const header = table.columns.find(({ kind }) => kind === 'label')?.header ?? ''
      const heads = words(header)
      const known = termsOf(`${table.around}\n${contextOf(table)}`, aliases)
      const names = table.rows.map((_, row) => rowName(table, row)).filter((name) => name !== '')
      const fits =
        heads.length > 0 &&
        heads.every((word) => terms.has(word)) &&
        asked.every((word) => known.has(word)) &&
        names.length > 1 &&
        names.length <= 20
      return fits
        ? [{ text: `${header}: ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`, passageIds: [table.passageId] }]
        : []
    })
    .slice(0, 1)
}

/** Where the part is said to be absent: the row that was meant, or else the best that was read. */
export const absence = ({ part, resolution }: Lookup, readIn: string[]): Statement => {
  const dash = resolution.cells[0] ?? null
  const near = dash ?? resolution.near
  return { text: absentSentence(part, near), passageIds: near ? [near.table.passageId] : readIn }
}
