import type { Chunking, ParsedDocument, Passage } from '@plumbline/contracts'
import { byHeadings } from './by-headings'
import { byTokens } from './by-tokens'
import { contentId } from './content-id'

export type ChunkSource = Pick<Passage, 'collection' | 'title' | 'version' | 'date' | 'supersedes' | 'file' | 'url'> & {
  id: string
}

export const chunkingDefaults: Extract<Chunking, { by: 'headings' }> = {
  by: 'headings',
  levels: [1, 2, 3],
  maxChars: 1_200,
}

/** What a passage says of its document where the document says it. */
const aboutOf = ({ version, date, supersedes, file, url }: ChunkSource): Partial<Passage> => ({
  ...(version === undefined ? {} : { version }),
  ...(date === undefined ? {} : { date }),
  ...(supersedes === undefined ? {} : { supersedes }),
  ...(file === undefined ? {} : { file }),
  ...(url === undefined ? {} : { url }),
})

/** Cuts a document into passages. The same document gives the same passages with the same ids, whatever its version is called. */
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
    .map(({ text, path, page }, position) => {
      const content = JSON.stringify([id, path, text])
      const repeat = seen.get(content) ?? 0
      seen.set(content, repeat + 1)
      return {
        ...about,
        id: `p${contentId(repeat === 0 ? content : `${content}#${repeat}`)}`,
        documentId: id,
        collection,
        title,
        text,
        headingPath: path,
        position,
        ...(page === undefined ? {} : { page }),
      }
    })
}
