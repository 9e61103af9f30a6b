import type { Block, Table } from './page'

const isTable = (block?: Block): block is Table => block?.kind === 'table'
const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((cell, at) => cell.trim() === b[at]?.trim())

const aligned = (a: Table, b: Table): boolean =>
  a.edges.length === b.edges.length && a.edges.every((edge, at) => Math.abs(edge - (b.edges[at] ?? 0)) < 4)

const head = ({ rows, headerRows }: Table): string[] => rows.slice(0, headerRows).flat()

const continued = (block?: Block): boolean =>
  block?.kind === 'text' && block.text.length < 160 && /\b(?:continued|cont['’.]?d?|cont\.)\b/i.test(block.text)

const goesOn = (table: Table, next: Table, height: number, told: boolean): string[][] | null => {
  if (table.edges.length !== next.edges.length) return null
  if (same(head(table), head(next))) return next.rows.slice(next.headerRows)
  const above = table.bottom > 0.6 * height && next.y < 0.25 * height
  return (above || told) && aligned(table, next) ? next.rows : null
}

export const joinTables = (pages: readonly Block[][], heights: readonly number[]): Block[][] => {
  const joined = pages.map((blocks) => [...blocks])
  let open: { table: Table; end: Table; page: number } | null = null
  joined.forEach((blocks, page) => {
    const told = continued(blocks[0])
    const at = told ? 1 : 0
    const next = blocks[at]
    const before: { table: Table; end: Table; page: number } | null = open
    const rows =
      before && isTable(next)
        ? goesOn({ ...before.table, bottom: before.end.bottom }, next, heights[page] ?? 0, told)
        : null
    const alone = rows && blocks.length === at + 1
    if (before && rows && isTable(next)) {
      before.table.rows.push(...rows)
      blocks.splice(0, at + 1)
    }
    const last = blocks.at(-1)
    open = isTable(last)
      ? { table: last, end: last, page }
      : alone && before && isTable(next)
        ? { ...before, end: next, page }
        : null
  })
  return joined
}
