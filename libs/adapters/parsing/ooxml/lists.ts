import { paragraph, proseLine } from '../prose'

/** A block of a text: something whole, or an item of a list at a level, under a label such as `3.` or `b)` if it is numbered. */
export type Block = { kind: 'whole'; text: string } | { kind: 'item'; level: number; label?: string; text: string }

export const whole = (text: string): Block => ({ kind: 'whole', text })

const roman = (value: number): string => {
  const steps: [number, string][] = [
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ]
  let left = Math.min(value, 3999)
  return steps
    .map(([size, digits]) => {
      const times = Math.floor(left / size)
      left -= times * size
      return digits.repeat(times)
    })
    .join('')
}

/** After z comes aa, then bb. */
const letter = (value: number): string =>
  String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(10, Math.floor((value - 1) / 26) + 1))

/** A number as one of Office's formats writes it, named as Word or as PowerPoint names it. */
export const numeral = (value: number, format: string): string => {
  if (value < 1) return String(value)
  if (/^(?:lowerRoman|romanLc)/.test(format)) return roman(value)
  if (/^(?:upperRoman|romanUc)/.test(format)) return roman(value).toUpperCase()
  if (/^(?:lowerLetter|alphaLc)/.test(format)) return letter(value)
  if (/^(?:upperLetter|alphaUc)/.test(format)) return letter(value).toUpperCase()
  return format === 'decimalZero' ? String(value).padStart(2, '0') : String(value)
}

const indent = '    '

/** Markdown knows numbers with a full stop; any other label stands in the item's text. */
const itemLine = (depth: number, label: string | undefined, text: string): string => {
  const marker = label === undefined ? '-' : /^\d{1,9}\.$/.test(label) ? label : `- ${label}`
  return `${indent.repeat(depth)}${marker} ${label === undefined ? text.replace(/\s+/g, ' ').trim() : proseLine(text)}`
}

/** Blocks as Markdown; an item is never deeper than one below the item before it. */
export const blocksText = (all: readonly Block[]): string => {
  const found: string[] = []
  let levels: number[] = []
  for (const block of all) {
    if (block.text.trim() === '') continue
    if (block.kind === 'whole') {
      levels = []
      found.push(block.text)
      continue
    }
    const first = levels.length === 0
    levels = [...levels.filter((level) => level < block.level), block.level]
    const line = itemLine(levels.length - 1, block.label, block.text)
    if (first) found.push(line)
    else found.push(`${found.pop() ?? ''}\n${line}`)
  }
  return found.join('\n\n')
}

export const prose = (text: string): Block => whole(paragraph(text))
