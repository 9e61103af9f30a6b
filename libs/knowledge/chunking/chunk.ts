import { type Chunking, ownTitle, type ParsedDocument, type Passage, warningsFor } from '@plumbline/contracts'
import { byHeadings } from './by-headings'
import { byTokens } from './by-tokens'
import { tablesOf } from './tables'

const mix = (text: string, seed: number): [number, number] => {
  let a = 0xdeadbeef ^ seed
  let b = 0x41c6ce57 ^ seed
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 2654435761)
    b = Math.imul(b ^ unit, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return [a >>> 0, b >>> 0]
}

/** Returns a 128-bit hash. Accidental collisions are practically impossible, but deliberate collisions are not. */
export const contentId = (text: string): string =>
  [...mix(text, 0), ...mix(text, 0x9e3779b9)].map((half) => half.toString(16).padStart(8, '0')).join('')

/** Returns the text by which searches find a passage. With a part of a table, it also describes the whole table. */
export const searchedText = ({ text, tables = [] }: Pick<Passage, 'text' | 'tables'>): string =>
  [text, ...tables.flatMap(({ about = [] }) => about)].join('\n')

export const withHeading = (passage: Pick<Passage, 'title' | 'file' | 'headingPath' | 'text' | 'tables'>): string => {
  const { title, headingPath } = passage
  const own = ownTitle(passage)
  return `${[title, ...headingPath.filter((heading) => heading !== own)].join(' · ')}\n${searchedText(passage)}`
}

export type ChunkSource = Pick<Passage, 'collection' | 'title'> &
  Pick<Passage, 'version' | 'date' | 'authority' | 'supersedes' | 'file' | 'url'> & { id: string }

export const chunkingDefaults: Extract<Chunking, { by: 'headings' }> = {
  by: 'headings',
  levels: [1, 2, 3],
  maxChars: 1_200,
}

const aboutOf = ({ version, date, authority, supersedes, file, url }: ChunkSource): Partial<Passage> => ({
  ...(version === undefined ? {} : { version }),
  ...(date === undefined ? {} : { date }),
  ...(authority === undefined ? {} : { authority }),
  ...(supersedes === undefined ? {} : { supersedes }),
  ...(file === undefined ? {} : { file }),
  ...(url === undefined ? {} : { url }),
})

/** Splits a document into passages. Equal content gives equal passages and ids, even in another document version. */
export const chunk = (
  source: ChunkSource,
  parsed: ParsedDocument,
  chunking: Chunking = chunkingDefaults,
): Passage[] => {
  const { id, collection, title } = source
  const about = aboutOf(source)
  const seen = new Map<string, number>()
  return (chunking.by === 'tokens' ? byTokens(parsed, chunking) : byHeadings(parsed, chunking))
    .map((piece) => ({ ...piece, text: piece.text.trim() }))
    .filter(({ text }) => text !== '')
    .map(({ text, path, page, tables: loose }, position) => {
      const content = JSON.stringify([id, path, text])
      const repeat = seen.get(content) ?? 0
      seen.set(content, repeat + 1)
      const tables = tablesOf(text, loose)
      const warnings = warningsFor(parsed.warnings ?? [], page)
      return {
        ...about,
        id: `p${contentId(repeat === 0 ? content : `${content}#${repeat}`)}`,
        documentId: id,
        collection,
        title,
        text,
        ...(tables.length === 0 ? {} : { tables }),
        headingPath: path,
        position,
        ...(page === undefined ? {} : { page }),
        ...(warnings.length === 0 ? {} : { warnings }),
      }
    })
}
