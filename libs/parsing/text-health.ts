import { isUtf8 } from 'node:buffer'
import type { DocumentWarning, ParsedDocument, ParsedPart } from '@plumbline/contracts'
import { ranges } from './page-ranges'

export const unmappedCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd\ue000-\uf8ff]/g

/** Counts matches one by one, because a list of all matches may need more memory than the text. */
const countOf = (text: string, what: RegExp): number => text.matchAll(what).reduce((count) => count + 1, 0)

export const isDamaged = (text: string): boolean => countOf(text, unmappedCharacters) > 0.01 * text.length

const highBytes = Array.from({ length: 128 }, (_, at) => 128 + at)
const byteOf: ReadonlyMap<string, number> = new Map([
  ...highBytes.map((byte): [string, number] => [String.fromCharCode(byte), byte]),
  ...highBytes.map((byte): [string, number] => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte]),
])
const highRun = new RegExp(`[${[...byteOf.keys()].join('')}]+`, 'g')

/**
 * Returns true for a UTF-8 text that was decoded in another encoding. In a correct text, the bytes of adjacent accented
 * letters are rarely valid UTF-8.
 */
export const isMisdecoded = (text: string): boolean => {
  let [utf8, other] = [0, 0]
  for (const [run] of text.matchAll(highRun)) {
    const bytes = Uint8Array.from(run, (letter) => byteOf.get(letter) ?? 0)
    if (isUtf8(bytes)) utf8 += [...new TextDecoder().decode(bytes)].length
    else other += 1
  }
  return utf8 >= 2 && utf8 > other
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/gu

export const isRightToLeft = (text: string): boolean => {
  const letters = countOf(text, rightToLeft)
  return letters > 0 && letters > 0.1 * countOf(text, /\p{L}/gu)
}

const advice = 'Compare the text with the original, or export the document again and upload the new file.'

const kinds = [
  {
    kind: 'damaged-text',
    holds: isDamaged,
    words: (where: string) => `Letters of the text${where} are missing or unreadable. ${advice}`,
  },
  {
    kind: 'wrong-encoding',
    holds: isMisdecoded,
    words: (where: string) =>
      `The text${where} was saved in a wrong encoding: accented letters and signs were replaced by other characters. ${advice}`,
  },
] as const

const textWarnings = (parts: readonly ParsedPart[]): DocumentWarning[] =>
  kinds.flatMap(({ kind, holds, words }) => {
    const found = parts.filter(({ text }) => holds(text))
    const pages = found.flatMap(({ page }) => (page === undefined ? [] : [page]))
    if (found.length === 0) return []
    return [{ kind, ...(pages.length > 0 && { pages }), words: words(pages.length > 0 ? ` of ${ranges(pages)}` : '') }]
  })

export const withTextWarnings = (document: ParsedDocument): ParsedDocument => {
  const { warnings: said = [], parts } = document
  const found = textWarnings(parts).filter(({ kind }) => said.every((warning) => warning.kind !== kind))
  return found.length === 0 ? document : { ...document, warnings: [...said, ...found] }
}
