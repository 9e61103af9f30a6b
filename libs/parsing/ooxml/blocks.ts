import { paragraph, escapedLine } from '../write-markdown'
import { below, child, childrenOf, textBelow, type XmlNode } from './xml'

/** `label` is the number of a list item, such as `3.` or `b)`. */
export type Block = { kind: 'whole'; text: string } | { kind: 'item'; level: number; label?: string; text: string }

export const wholeBlock = (text: string): Block => ({ kind: 'whole', text })

const roman = (value: number): string => {
  const steps = { m: 1000, cm: 900, d: 500, cd: 400, c: 100, xc: 90, l: 50, xl: 40, x: 10, ix: 9, v: 5, iv: 4, i: 1 }
  let left = Math.min(value, 3999)
  return Object.entries(steps)
    .map(([digits, size]) => {
      const times = Math.floor(left / size)
      left -= times * size
      return digits.repeat(times)
    })
    .join('')
}

/** In Word's lettered lists, `z` is followed by `aa`, then `bb`. */
const letter = (value: number): string =>
  String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(10, Math.floor((value - 1) / 26) + 1))

export const numeral = (value: number, format: string): string => {
  if (value < 1) return String(value)
  if (/^(?:lowerRoman|romanLc)/.test(format)) return roman(value)
  if (/^(?:upperRoman|romanUc)/.test(format)) return roman(value).toUpperCase()
  if (/^(?:lowerLetter|alphaLc)/.test(format)) return letter(value)
  if (/^(?:upperLetter|alphaUc)/.test(format)) return letter(value).toUpperCase()
  return format === 'decimalZero' ? String(value).padStart(2, '0') : String(value)
}

const indent = '    '

/** Markdown supports only labels such as `3.`, so any other label becomes text. */
const itemLine = (depth: number, label: string | undefined, text: string): string => {
  const marker = label === undefined ? '-' : /^\d{1,9}\.$/.test(label) ? label : `- ${label}`
  return `${indent.repeat(depth)}${marker} ${label === undefined ? text.replace(/\s+/g, ' ').trim() : escapedLine(text)}`
}

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

export const paragraphBlock = (text: string): Block => wholeBlock(paragraph(text))

const generatedNote = /(?:description automatically generated|ai-generated content may be incorrect).*$/is
const saysNothing =
  /^(?:(?:picture|image|graphic|logo|icon|shape|figure|grafik|bild)\s*\d*|\S+\.(?:png|jpe?g|gif|bmp|tiff?|svg|emf|wmf))$/i

export const altText = (named: XmlNode | undefined): Block[] => {
  const text = (named?.attributes['descr'] ?? '').replace(generatedNote, '').replace(/\s+/g, ' ').trim()
  return text === '' || saysNothing.test(text) ? [] : [paragraphBlock(`Image: ${text}`)]
}

export const diagramBlocks = (data: XmlNode | undefined): Block[] =>
  below(data, 'pt').map((point) => {
    const lines = childrenOf(child(point, 't'), 'p').map((line) => textBelow(line))
    return { kind: 'item', level: 0, text: lines.join(' ') }
  })

export const withoutCellMarks = (text: string): string =>
  text
    .replace(/(?<!\\)\|(?: ?-{3})?/g, ' ')
    .replace(/\\\|/g, '|')
    .replace(/\s+/g, ' ')
    .trim()

/** Returns the texts of headers and footers, without texts that contain only a page number. */
export const marginBlocks = (texts: readonly string[]): Block[] =>
  [...new Set(texts.map((text) => escapedLine(text.startsWith('|') ? withoutCellMarks(text) : text)))]
    .filter((line) => /\p{L}/u.test(line.replace(/\b(?:page|seite|pagina|página|of|von|de|di)\b/giu, '')))
    .map(paragraphBlock)
