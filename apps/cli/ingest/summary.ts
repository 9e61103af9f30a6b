import { cleanName } from '@plumbline/contracts'
import { count, type Screen, truncated, wrap } from '../render/text'
import type { FindResult } from './find-files'
import type { UploadResult } from './upload'

type Row = {
  format: string
  files: number
  pages: number
  passages: number
  added: number
  replaced: number
  unchanged: number
  failed: number
}
const columns = ['files', 'pages', 'passages', 'added', 'replaced', 'unchanged', 'failed'] as const
const most = 20

const rowOf = (format: string, all: UploadResult[]): Row => {
  const of = (outcome: UploadResult['outcome']): number => all.filter((one) => one.outcome === outcome).length
  const sum = (field: 'pages' | 'passages'): number => all.reduce((total, one) => total + one[field], 0)
  return {
    format,
    files: all.length,
    pages: sum('pages'),
    passages: sum('passages'),
    added: of('new'),
    replaced: of('replaces'),
    unchanged: of('unchanged'),
    failed: of('failed'),
  }
}

const rowsOf = (all: UploadResult[]): Row[] => {
  const byFormat = Map.groupBy(all, ({ format }) => format)
  const rows = [...byFormat].sort(([a], [b]) => (a < b ? -1 : 1)).map(([format, some]) => rowOf(format, some))
  return rows.length > 1 ? [...rows, rowOf('all', all)] : rows
}

const table = (rows: Row[], { paint }: Screen): string[] => {
  const shown = columns.filter(
    (column) => ['files', 'passages'].includes(column) || rows.some((row) => row[column] > 0),
  )
  const wide = Math.max(...rows.map(({ format }) => format.length), 6)
  const line = (first: string, cells: string[]): string =>
    `  ${[first.padEnd(wide), ...cells.map((cell, at) => cell.padStart(Math.max(8, (shown[at] ?? '').length + 2)))].join('')}`
  const body = rows.map((row) =>
    line(
      row.format,
      shown.map((column) => (row[column] === 0 ? '·' : row[column].toLocaleString('en'))),
    ),
  )
  return [
    paint.dim(line('format', [...shown])),
    ...body.map((text, at) => (rows[at]?.format === 'all' ? paint.bold(text) : text)),
  ]
}

const failures = (all: UploadResult[], { paint, width }: Screen): string[] => {
  const failed = all.filter(({ outcome }) => outcome === 'failed')
  if (failed.length === 0) return []
  const lines = failed.flatMap(({ name, page, error = '' }) => [
    `  ${paint.bad('✗')} ${cleanName(name)}${page === undefined ? '' : `, page ${page}`}`,
    ...wrap(cleanName(error), width - 6).map((line) => `      ${line}`),
  ])
  return ['', paint.bold(`${count(failed.length, 'document')} failed`), ...lines]
}

const notes = (all: UploadResult[], { paint, width }: Screen): string[] => {
  const noted = all.flatMap(({ name, notes: said }) => said.map((note) => `${cleanName(name)}: ${cleanName(note)}`))
  if (noted.length === 0) return []
  const shown = noted
    .slice(0, most)
    .flatMap((line) => wrap(line, width - 4).map((part, at) => `  ${at === 0 ? paint.warn('!') : ' '} ${part}`))
  return ['', paint.bold('Warnings'), ...shown, ...(noted.length > most ? [`    and ${noted.length - most} more`] : [])]
}

export const skippedLines = ({ leftOut: all }: FindResult, { paint, width }: Screen): string[] => {
  if (all.length === 0) return []
  const byWhy = [...Map.groupBy(all, ({ why }) => why)].sort(([, a], [, b]) => b.length - a.length)
  const names = all
    .slice(0, most)
    .map(({ name }) => cleanName(name))
    .join(', ')
  return [
    `${all.length} skipped: ${byWhy.map(([why, some]) => `${some.length} ${why}`).join(', ')}`,
    ...wrap(
      paint.dim(truncated(`${names}${all.length > most ? `, and ${all.length - most} more` : ''}`, 1_000)),
      width - 2,
      '  ',
    ),
  ]
}

export const summaryLines = (all: UploadResult[], screen: Screen): string[] =>
  all.length === 0 ? [] : ['', ...table(rowsOf(all), screen), ...notes(all, screen), ...failures(all, screen), '']
