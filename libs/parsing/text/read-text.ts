import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from '../limits'
import { decodeText } from '../text-encoding'

const mostControls = 0.01
const looked = 100_000

const controls = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/g

const colors = /\u001b\[[\d;]*[A-Za-z]/g

/** Decodes a text file, and rejects a file that is not text. In the result, all line ends are `\n`. */
export const plainText = (bytes: Uint8Array, name: string): string => {
  const text = decodeText(bytes)
  const head = text.slice(0, looked)
  if (head.includes('\0') || (head.match(controls)?.length ?? 0) > head.length * mostControls)
    throw new Unfit(
      'mislabelled',
      `${name} is named like a text file, but contains binary data. Correct the file name extension, for example to .pdf or .docx, or save the document as text.`,
    )
  if (text.trim() === '') throw new Unfit('no-text', `${name} is empty. Upload a file that contains text.`)
  return text
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '')
    .replace(colors, '')
    .replace(/\r\n?/g, '\n')
}

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
