import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { ParsedDocument } from '@plumbline/contracts'
import { formatOfName, isShortText, shortTextBytes } from '@plumbline/contracts/format-names'
import type { SourceFile } from '@plumbline/ports/document-parser'
import type { Limits } from './limits'
import { frontMatter, hasHtml } from './markdown/read-markdown'
import { withinLimits } from './document-limits'
import { readDocument } from './read-document'
import type { Allowance } from './read-format'

/** The maximum length of front matter in characters. Longer front matter may be too deeply nested for this process. */
const mostFrontMatter = 1_000

/** A file with one of these characters is binary or in another encoding, so it is read in a separate process. */
const hasControls = /[\u0000-\u0008\u000e-\u001f\u007f]/

const isPlainMarkdown = (text: string): boolean => {
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  return !hasHtml(lines) && (frontMatter.exec(lines)?.[0].length ?? 0) <= mostFrontMatter
}

/** Limits are not needed here, because these files are too small to take much time or memory. */
const allowance: Allowance = { loaded: (load) => load(), allow: () => undefined }

/** Returns null for files that must be read in a separate process. */
export const readInProcess = async (
  { path, name, mediaType, format }: SourceFile,
  size: number,
  limits: Limits,
): Promise<ParsedDocument | null> => {
  const called = format ?? formatOfName(name)
  if (!isShortText(called, size)) return null
  const bytes = await readFile(path)
  if (bytes.length > shortTextBytes || !isUtf8(bytes)) return null
  const text = bytes.toString('utf8')
  if (hasControls.test(text) || (called === 'markdown' && !isPlainMarkdown(text))) return null
  const file = { bytes, name, ...(mediaType && { mediaType }), ...(format && { format }) }
  return ParsedDocument.parse(withinLimits(await readDocument(file, allowance), limits))
}
