import type { Chunking, ParsedDocument } from '@plumbline/contracts'
import { unitsOf, type Unit } from './units'
import { locatedBlocks, type PassageDraft } from './located-blocks'
import { sentencesOf } from './split'
import type { LooseTable } from './tables'

const han = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]'
const part = new RegExp(`${han}|(?:(?!${han})[\\p{L}\\p{M}])+|\\p{N}+|[^\\s\\p{L}\\p{M}\\p{N}]`, 'gu')
const letters = 6
const digits = 3

const kindOf = (code: number): number => {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return letters
  if (code >= 48 && code <= 57) return digits
  return code === 32 || (code >= 9 && code <= 13) ? 0 : 1
}

/** Counts the tokens of ASCII text like `tokenCount`, but without a regular expression, in a tenth of the time. */
const asciiCount = (text: string): number => {
  let count = 0
  let kind = 0
  let run = 0
  for (let at = 0; at <= text.length; at += 1) {
    const next = at === text.length ? 0 : kindOf(text.charCodeAt(at))
    if (next === kind && next > 1) run += 1
    else {
      if (kind > 0) count += Math.ceil(run / kind)
      kind = next
      run = 1
    }
  }
  return count
}

const ascii = /^[\x00-\x7f]*$/

/**
 * Estimates the number of tokens. In prose, this is about one token for four characters. If a text is split at spaces,
 * the counts of the parts add up to the count of the text.
 */
export const tokenCount = (text: string): number => {
  if (ascii.test(text)) return asciiCount(text)
  let count = 0
  for (const [found] of text.matchAll(part))
    count += Math.ceil(found.length / (/^\p{N}/u.test(found) ? digits : letters))
  return count
}

type Settings = Extract<Chunking, { by: 'tokens' }>
type Tail = { text: string; size: number; page: number | undefined; tables: LooseTable[] }
type Group = { tail: Tail | null; units: Unit[]; size: number }

const allLevels = [1, 2, 3, 4, 5, 6]

const lastOf = (parts: readonly string[], joint: string, most: number): string => {
  let text = ''
  let size = 0
  for (const part of [...parts].reverse()) {
    size += tokenCount(part)
    if (size > most) break
    text = text === '' ? part : part + joint + text
  }
  return text
}

/**
 * Returns the last sentences of the text that have at most `most` tokens. If not even one sentence fits and `needed` is
 * true, returns the last words.
 */
const endOf = (text: string, most: number, needed: boolean): string => {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  return lastOf(sentencesOf(line), ' ', most) || (needed ? lastOf(line.split(/\s+/), ' ', most) : '')
}

/** Returns the end of a chunk, which the next chunk repeats. Tables and code are repeated only as a whole. */
const tailOf = ({ units }: Group, most: number): Tail | null => {
  const found: Tail = { text: '', size: 0, page: undefined, tables: [] }
  let glue = ''
  for (const unit of [...units].reverse()) {
    const room = most - found.size
    const fits = tokenCount(unit.text) <= room
    const taken = fits ? unit.text : unit.block.kind === 'prose' ? endOf(unit.text, room, found.text === '') : ''
    if (taken === '') break
    found.text = taken + glue + found.text
    found.size += tokenCount(taken)
    found.page = unit.block.page
    if (fits) found.tables.unshift(...(unit.tables ?? []))
    glue = unit.glue
    if (!fits) break
  }
  return found.text === '' ? null : found
}

const textOf = ({ tail, units }: Group): string => {
  const own = units.map(({ text, glue }, at) => (at === 0 ? text : glue + text)).join('')
  return tail ? tail.text + (units[0]?.glue ?? '\n\n') + own : own
}

/** Headings at the end of a chunk move to the next chunk, because a heading belongs to the text after it. */
const trailingHeadings = ({ units }: Group, room: number): Unit[] => {
  const taken: Unit[] = []
  let left = room
  while (units.length > 1 && units.at(-1)?.block.kind === 'heading' && taken.length < allLevels.length) {
    left -= tokenCount(units.at(-1)?.text ?? '')
    if (left < 0) break
    taken.unshift(...units.splice(-1))
  }
  return taken
}

const groupsOf = (units: Unit[], { size, overlap }: Settings): Group[] => {
  const groups: Group[] = []
  for (const unit of units) {
    const own = tokenCount(unit.text)
    const last = groups.at(-1)
    if (last && last.size + own <= size) {
      last.units.push(unit)
      last.size += own
      continue
    }
    const carried = last ? trailingHeadings(last, size - own) : []
    const needed = own + carried.reduce((sum, { text }) => sum + tokenCount(text), 0)
    const tail = last && overlap > 0 ? tailOf(last, Math.min(overlap, Math.max(0, size - needed))) : null
    groups.push({ tail, units: [...carried, unit], size: needed + (tail?.size ?? 0) })
  }
  return groups
}

export const byTokens = (parsed: ParsedDocument, settings: Settings): PassageDraft[] => {
  const blocks = locatedBlocks(parsed, allLevels)
  if (blocks.every(({ kind }) => kind === 'heading')) return []
  const room = { prose: settings.size - settings.overlap, table: settings.size }
  const units = unitsOf(blocks, () => '', room, tokenCount)
  return groupsOf(units, settings).map((group) => {
    const first = group.units[0]?.block
    const tables = [...(group.tail?.tables ?? []), ...group.units.flatMap(({ tables: own = [] }) => own)]
    return { text: textOf(group), path: first?.path ?? [], page: group.tail ? group.tail.page : first?.page, tables }
  })
}
