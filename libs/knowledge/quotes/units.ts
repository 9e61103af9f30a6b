import type { Passage } from '@plumbline/contracts'
import { fencedTo, startsTable } from '../chunking/blocks'
import { cutMark } from '../chunking/split-table'

/** The least that is quoted: a sentence, a list item, a row or a line of code, with what must stand above it. */
export type Unit = {
  kind: 'prose' | 'item' | 'row' | 'code'
  text: string
  /** Lines of the passage without which it may be misread: headings within the passage, a list's lead-in, the item it belongs to. */
  leads: string[]
  /** The header of its table, or the fence that opens its code; units of one block share it. */
  frame: { block: number; open: string; close: string }
  /** What stands between it and the unit before where both are quoted. */
  glue: string
}

const item = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s/
const heading = /^ {0,3}#{1,6}\s/

type Reading = {
  units: Unit[]
  heading: string[]
  /** The sentence that ended the last paragraph, and whether a list, a table or code has followed it. */
  last: string
  followed: boolean
  /** Items that the next one may belong to, by how far they are indented. */
  open: { indent: number; text: string }[]
  block: number
}

/** Sentences with their marks and the blanks behind them; a line break within a paragraph ends none. */
const sentencesIn = (paragraph: string): string[] => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })
  return [...segmenter.segment(paragraph.replaceAll('\n', ' '))].map(({ segment, index }) =>
    paragraph.slice(index, index + segment.length).trimEnd(),
  )
}

const introduces = (sentence: string): boolean => /[:：]\W*$/u.test(sentence)

const add = (reading: Reading, unit: Omit<Unit, 'frame' | 'glue'> & Partial<Unit>): void => {
  const frame = { block: reading.block, open: '', close: '' }
  reading.units.push({
    frame,
    glue: '\n',
    ...unit,
    leads: [...reading.heading, ...unit.leads].filter((line) => line !== ''),
  })
}

const readProse = (reading: Reading, lines: string[]): void => {
  const lead = !reading.followed && introduces(reading.last) ? [reading.last] : []
  reading.followed = false
  sentencesIn(lines.join('\n'))
    .filter((text) => text.trim() !== '')
    .forEach((text, at) => {
      add(reading, { kind: 'prose', text, leads: lead, glue: at === 0 ? '\n\n' : ' ' })
      reading.last = text
    })
  reading.open = []
}

const readItem = (reading: Reading, lines: string[], indent: number): void => {
  const text = lines.join('\n').trimEnd()
  reading.open = reading.open.filter((above) => above.indent < indent)
  add(reading, { kind: 'item', text, leads: [reading.last, ...reading.open.map((above) => above.text)] })
  reading.open.push({ indent, text })
  reading.followed = true
}

const readTable = (reading: Reading, lines: string[]): void => {
  const [header = '', delimiter = '', ...rows] = lines
  const frame = { block: reading.block, open: `${header}\n${delimiter}`, close: '' }
  for (const text of rows) add(reading, { kind: 'row', text, leads: [reading.last], frame })
  reading.followed = true
}

const readCode = (reading: Reading, lines: string[]): void => {
  const closed =
    lines.length > 1 &&
    lines
      .at(-1)
      ?.trim()
      .startsWith((lines[0] ?? '').trim().slice(0, 3))
  const frame = { block: reading.block, open: lines[0] ?? '', close: closed ? (lines.at(-1) ?? '') : '' }
  for (const text of lines.slice(1, closed ? -1 : undefined))
    add(reading, { kind: 'code', text, leads: [reading.last], frame })
  reading.followed = true
}

const endOf = (lines: string[], from: number, ends: (line: string, at: number) => boolean): number => {
  const length = lines.slice(from).findIndex((line, at) => ends(line, from + at))
  return length < 0 ? lines.length : from + length
}

/** What a passage is made of, in order. */
export const unitsIn = ({ text, headingPath, title }: Pick<Passage, 'text' | 'headingPath' | 'title'>): Unit[] => {
  const lines = text.split('\n')
  const reading: Reading = { units: [], heading: [], last: '', followed: false, open: [], block: 0 }
  const blank = (line: string): boolean => line.trim() === ''
  const opens = (line: string, at: number): boolean =>
    blank(line) || item.test(line) || heading.test(line) || startsTable(lines, at) || fencedTo(lines, at) >= 0
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const from = at
    const indent = item.exec(line)?.[1]?.length
    reading.block += 1
    at += 1
    if (blank(line) || line === cutMark) continue
    if (fencedTo(lines, from) >= 0) {
      at = fencedTo(lines, from) + 1
      readCode(reading, lines.slice(from, at))
    } else if (startsTable(lines, from)) {
      at = endOf(lines, from, (row) => blank(row) || !row.includes('|'))
      readTable(reading, lines.slice(from, at))
    } else if (heading.test(line)) {
      reading.heading = [line]
      reading.last = ''
    } else if (indent !== undefined) {
      at = endOf(lines, at, opens)
      readItem(reading, lines.slice(from, at), indent)
    } else {
      at = endOf(lines, at, opens)
      const known = at - from === 1 && [title, ...headingPath].includes(line.trim())
      if (!known) readProse(reading, lines.slice(from, at))
    }
  }
  return reading.units
}
