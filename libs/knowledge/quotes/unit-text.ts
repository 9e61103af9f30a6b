import type { Passage } from '@plumbline/contracts'
import { rowCells } from '../chunking/markdown-table'
import type { Unit } from './units'

const rowText = (text: string, row: string, { frame }: Unit): string => {
  const header = frame.map(({ from, to }) => text.slice(from, to)).find((part) => part.startsWith('|')) ?? ''
  const names = rowCells(header.split('\n')[0] ?? '')
  return rowCells(row)
    .map((cell, at) => (names[at] ? `${names[at]}: ${cell}` : cell))
    .join(', ')
}

export const unitText = (passage: Passage, unit: Unit): string => {
  const heading = passage.headingPath.at(-1) ?? passage.title
  const own = passage.text.slice(unit.from, unit.to)
  if (unit.kind === 'row') return `${heading}. ${rowText(passage.text, own, unit)}`
  const leadIns = unit.frame.map(({ from, to }) => passage.text.slice(from, to)).filter((part) => !part.startsWith('#'))
  return [`${heading}.`, ...leadIns, own].join(' ')
}
