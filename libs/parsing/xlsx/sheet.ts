import { Unfit } from '@plumbline/ports/document-parser'
import { formatNumber } from '../ooxml/number-format'
import type { GridCell } from '../tables/grid-to-markdown'
import { readXml, type Attributes } from '../ooxml/xml'
import { markSuperscript, withSuperscripts } from '../superscript'

const mostSharedCharacters = 100_000_000

/** Restores characters that XML does not allow. Excel writes each of them as a code, such as `_x000D_`. */
const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const gatherRuns = () => {
  let text = ''
  let [inText, isSuperscript, phonetic] = [false, false, false]
  return {
    begin: () => {
      text = ''
      isSuperscript = false
    },
    open: (name: string, value: string | undefined) => {
      if (name === 'r') isSuperscript = false
      if (name === 'vertAlign') isSuperscript = value === 'superscript'
      if (name === 'rPh') phonetic = true
      inText = name === 't' && !phonetic
    },
    add: (part: string) => {
      if (inText) text += isSuperscript ? markSuperscript(part) : part
    },
    close: (name: string) => {
      inText = false
      if (name === 'rPh') phonetic = false
    },
    text: () => unescaped(withSuperscripts(text)),
  }
}

export const readStrings = (bytes: Uint8Array, file: string): string[] => {
  const found: string[] = []
  const runs = gatherRuns()
  let left = mostSharedCharacters
  readXml(bytes, file, {
    open: (name, attributes) => {
      if (name === 'si') runs.begin()
      runs.open(name, attributes['val'])
    },
    text: runs.add,
    close: (name) => {
      runs.close(name)
      if (name !== 'si') return
      const text = runs.text()
      left -= text.length
      if (left < 0)
        throw new Unfit(
          'too-large',
          `${file} contains more text than can be read at once. Split the workbook into smaller files.`,
        )
      found.push(text)
    },
  })
  return found
}

export type Book = { file: string; strings: string[]; formats: string[]; from1904: boolean }
type Sheet = { cells: GridCell[]; unsaved: number }

const mostCells = 2_000_000
const mostMerged = 5_000_000
const mostCharacters = 50_000_000
const mostRows = 1_048_576
const mostColumns = 16_384

type CellPosition = { row: number; column: number }

const cellPosition = (reference: string): CellPosition | undefined => {
  const [, letters, digits] = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? []
  if (letters === undefined || digits === undefined) return undefined
  const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  const row = Number(digits) - 1
  return row >= 0 && row < mostRows && column < mostColumns ? { row, column } : undefined
}

const day = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?))?/

export const missingPart = (file: string, what: string): Unfit =>
  new Unfit(
    'unreadable',
    `${file} is damaged: ${what} missing. Open the workbook in a spreadsheet program, save it and upload it again.`,
  )

const cellText = (type: string, value: string, format: string, { file, strings, from1904 }: Book): string => {
  switch (type) {
    case 's': {
      const text = value === '' ? '' : strings[Number(value)]
      if (text === undefined) throw missingPart(file, 'the part with the texts of its cells is')
      return text
    }
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE'
    case 'str':
      return unescaped(value)
    case 'd': {
      const [, date = value, time = ''] = day.exec(value) ?? []
      return /^(?:00:00(?::00)?)?$/.test(time) ? date : `${date} ${time}`
    }
    case 'e':
      return value
    default:
      return value === '' || Number.isNaN(Number(value)) ? value : formatNumber(Number(value), format, from1904)
  }
}

/** Shortens merged cells that extend beyond the filled area of the sheet. */
const merged = (cells: GridCell[], ranges: string[], file: string): GridCell[] => {
  const bottom = cells.reduce((most, { row }) => Math.max(most, row), 0)
  const right = cells.reduce((most, { column }) => Math.max(most, column), 0)
  const reach = new Map<string, CellPosition>()
  for (const range of ranges) {
    const [from, to] = range.split(':').map(cellPosition)
    if (from && to)
      reach.set(`${from.row},${from.column}`, { row: Math.min(to.row, bottom), column: Math.min(to.column, right) })
  }
  const whole = cells.map((cell) => {
    const end = reach.get(`${cell.row},${cell.column}`)
    return end
      ? { ...cell, across: Math.max(1, end.column - cell.column + 1), down: Math.max(1, end.row - cell.row + 1) }
      : cell
  })
  const area = whole.reduce((sum, { across, down }) => sum + across * down, 0)
  if (area > mostMerged)
    throw new Unfit(
      'bomb',
      `${file} has merged cells that cover more than ${mostMerged} cells, so it was not read. Split the merged cells and save the workbook again.`,
    )
  return whole
}

/** Reads the cells of a sheet. A formula is replaced by the result that was stored when the file was saved. */
export const readSheet = (bytes: Uint8Array, book: Book): Sheet => {
  const { file } = book
  const cells: GridCell[] = []
  const ranges: string[] = []
  let row = -1
  let column = -1
  let cell: Attributes = {}
  let value = ''
  let formula = false
  let unsaved = 0
  let left = mostCharacters
  let taking = false
  const runs = gatherRuns()
  const begin = (attributes: Attributes) => {
    const place = cellPosition(attributes['r'] ?? '')
    column = place?.column ?? column + 1
    row = place?.row ?? row
    cell = attributes
    value = ''
    formula = false
    runs.begin()
  }
  const end = () => {
    const text =
      cell['t'] === 'inlineStr'
        ? runs.text()
        : cellText(cell['t'] ?? 'n', value, book.formats[Number(cell['s'] ?? 0)] ?? 'General', book)
    if (formula && value === '' && cell['t'] !== 'str') unsaved += 1
    if (text.trim() === '') return
    left -= text.length
    if (left < 0 || cells.length >= mostCells)
      throw new Unfit(
        'too-large',
        `${file} has a sheet with more cells or text than can be read at once. Split the workbook into smaller files.`,
      )
    cells.push({ row, column, across: 1, down: 1, text })
  }
  readXml(bytes, file, {
    open: (name, attributes) => {
      if (name === 'row') {
        row = attributes['r'] === undefined ? row + 1 : Number(attributes['r']) - 1
        column = -1
      } else if (name === 'c') begin(attributes)
      else if (name === 'f') formula = true
      else if (name === 'mergeCell') ranges.push(attributes['ref'] ?? '')
      taking = name === 'v'
      runs.open(name, attributes['val'])
    },
    text: (text) => {
      if (taking) value += text
      else runs.add(text)
    },
    close: (name) => {
      taking = false
      runs.close(name)
      if (name === 'c') end()
    },
  })
  return { cells: merged(cells, ranges, file), unsaved }
}
