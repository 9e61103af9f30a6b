import { sentences } from '../text'
import { fenceOf } from './blocks'
import type { Measure } from './located-blocks'

/** `glue` is the separator between the previous part and this part. */
export type Part = { text: string; glue: '\n\n' | '\n' | ' ' | '' }

/** This limit is in characters. A longer line is split between words, not between sentences. */
const longestLine = 20_000

export const pack = <P extends Part>(
  parts: readonly P[],
  max: number,
  measure: Measure,
): { text: string; parts: P[] }[] => {
  const total = parts.reduce((sum, { text, glue }) => sum + measure(text) + measure(glue), 0)
  const target = total / Math.ceil(total / max)
  const pieces: { text: string; parts: P[]; size: number }[] = []
  for (const part of parts) {
    const last = pieces.at(-1)
    const size = measure(part.glue) + measure(part.text)
    if (last && last.size < target && last.size + size <= max) {
      last.text += part.glue + part.text
      last.size += size
      last.parts.push(part)
    } else pieces.push({ text: part.text, parts: [part], size: measure(part.text) })
  }
  return pieces
}

const fitting = (text: string, max: number, measure: Measure): number => {
  let low = 1
  let high = Math.min(text.length, max * 12)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (measure(text.slice(0, middle)) <= max) low = middle
    else high = middle - 1
  }
  return low
}

const isSplitPair = (text: string, at: number): boolean =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1))

/**
 * Returns the position after the last match of `lastSign`. If it is in the first half of the allowed text, returns the
 * latest allowed position.
 */
const cutAt = (text: string, most: number, lastSign: RegExp): number => {
  const behind = text.slice(0, most).search(lastSign) + 1
  return behind > most / 2 ? behind : most - (isSplitPair(text, most) && most > 1 ? 1 : 0)
}

/** A text without spaces, such as Chinese, is split after a punctuation mark. */
const stop = /[。！？；，、][^。！？；，、]*$/
const codeSign = /[\s,;(){}[\]][^\s,;(){}[\]]*$/

export const atWords = (text: string, max: number, measure: Measure): Part[] => {
  const parts: Part[] = []
  let rest = text.trim()
  let glue: Part['glue'] = ' '
  while (rest !== '' && (rest.length > max * 12 || measure(rest) > max)) {
    const most = fitting(rest, max, measure)
    const space = /\s/.test(rest.charAt(most)) ? most : rest.slice(0, most).search(/\s\S*$/)
    const atSpace = space > most / 2
    const end = atSpace ? space : cutAt(rest, most, stop)
    parts.push({ text: rest.slice(0, end).trimEnd(), glue })
    rest = rest.slice(end).trimStart()
    glue = atSpace ? ' ' : ''
  }
  return rest === '' ? parts : [...parts, { text: rest, glue }]
}

const mark = /^\s*(?:(?:[-*+•>]|\d{1,3}[.)]|[a-z][.)]|#{1,6})\s+)+/i

export const sentencesOf = (line: string): string[] => {
  const lead = mark.exec(line)?.[0] ?? ''
  const [first = '', ...rest] = sentences(line.slice(lead.length))
  return [lead + first, ...rest]
}

const atSentences = (line: string, max: number, measure: Measure): Part[] => {
  if (measure(line) <= max) return [{ text: line, glue: ' ' }]
  if (line.length > longestLine) return atWords(line, max, measure)
  return sentencesOf(line).flatMap((sentence) => atWords(sentence, max, measure))
}

export const splitProse = (paragraph: string, max: number, measure: Measure): Part[] => {
  if (measure(paragraph) <= max) return [{ text: paragraph, glue: '\n\n' }]
  const parts = paragraph
    .split('\n')
    .flatMap((line) =>
      atSentences(line, max, measure).map((part, at): Part => (at === 0 ? { ...part, glue: '\n' } : part)),
    )
  return parts.map((part, at) => (at === 0 ? { ...part, glue: '\n\n' } : part))
}

const stretches = (lines: string[]): string[] => {
  const found: string[][] = [[]]
  lines.forEach((line, at) => {
    if (line.trim() !== '' && at > 0 && lines[at - 1]?.trim() === '') found.push([])
    found.at(-1)?.push(line)
  })
  return found.map((stretch) => stretch.join('\n'))
}

const slices = (line: string, max: number, measure: Measure): Part[] => {
  const parts: Part[] = []
  for (let rest = line; rest !== '';) {
    const end =
      rest.length <= max * 12 && measure(rest) <= max ? rest.length : cutAt(rest, fitting(rest, max, measure), codeSign)
    parts.push({ text: rest.slice(0, end), glue: parts.length === 0 ? '\n' : '' })
    rest = rest.slice(end)
  }
  return parts
}

/**
 * Splits code at blank lines. Splits longer parts at line ends, and longer lines after a sign or anywhere. Each piece
 * repeats the fences of the code block.
 */
export const splitCode = (code: string, max: number, measure: Measure): string[] => {
  if (measure(code) <= max) return [code]
  const lines = code.split('\n')
  const fence = fenceOf(lines[0] ?? '')
  const close = fence && lines.length > 1 && lines.at(-1)?.trim().startsWith(fence) ? -1 : undefined
  const inner = fence ? lines.slice(1, close) : lines
  const wrap = (text: string): string => (fence ? `${lines[0] ?? ''}\n${text}\n${fence}` : text)
  const room = Math.max(max - measure(wrap('')), 1)
  const parts = stretches(inner).flatMap((stretch): Part[] =>
    measure(stretch) <= room
      ? [{ text: stretch, glue: '\n' }]
      : stretch
          .split('\n')
          .flatMap((line): Part[] => (line === '' ? [{ text: '', glue: '\n' }] : slices(line, room, measure))),
  )
  return pack(parts, room, measure)
    .filter(({ text }) => text.trim() !== '')
    .map(({ text }) => wrap(text.trimEnd()))
}
