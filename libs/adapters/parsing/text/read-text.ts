import type { ParsedDocument } from '@plumbline/contracts'
import type { Reading } from '../reading'
import { plainText } from './plain-text'

/** A form feed is where a text says that its next page begins. */
const pagesOf = (text: string): { page: number; text: string }[] =>
  text
    .split('\f')
    .map((page, at) => ({ page: at + 1, text: page }))
    .filter((page) => page.text.trim() !== '')

export const readText = async (bytes: Uint8Array, { name }: Reading): Promise<ParsedDocument> => {
  const text = await Promise.resolve(plainText(bytes, name))
  const pages = text.split('\f').length - (/\f\s*$/.test(text.slice(-100)) ? 1 : 0)
  return pages < 2
    ? { markup: 'text', parts: [{ text: text.replaceAll('\f', '\n') }] }
    : { markup: 'text', parts: pagesOf(text), pages }
}
