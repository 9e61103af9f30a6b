import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { Tokenize } from 'rtf-stream-parser'
import type { Reading } from '../limits'
import { RtfReader, type Token } from './tokens'

export const readRtf = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const tokenize = new Tokenize()
  tokenize.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  const reader = new RtfReader(name)
  try {
    for await (const token of tokenize) reader.take(token as Token)
  } catch (cause) {
    if (cause instanceof Unfit) throw cause
    throw new Unfit(
      'unreadable',
      `${name} is damaged: its content is not valid RTF. Open the document in the program that created it, save it as .docx and upload the new file.`,
      { cause },
    )
  }
  const { title, text, open } = reader.end()
  if (text === '')
    throw new Unfit(
      open ? 'truncated' : 'no-text',
      open
        ? `${name} is truncated. Copy or download the file again.`
        : `${name} contains no text. Upload a document that contains text.`,
    )
  onPage?.(1, 1)
  return {
    ...(title !== '' && { title }),
    markup: 'markdown',
    parts: [{ text }],
    ...(open && { notes: ['The end of the file is missing. Copy or download the file again.'] }),
  }
}
