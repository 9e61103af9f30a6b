import type { Passage } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import type { IndexedPassage } from '@plumbline/ports/passage-index'
import { batchesOf } from './embed'
import { note, Refused, type Work } from './work'

const withVectors = async ({ ports, open }: Work, passages: readonly Passage[]): Promise<IndexedPassage[]> => {
  const indexed: IndexedPassage[] = []
  for (const { nth, passages: own, of } of batchesOf(passages, ports.embedder.name)) {
    const vectors = await ports.files.vectors(open.id, open.revision, nth, of)
    own.forEach((passage, at) => {
      const vector = vectors?.[at]
      if (!vector) throw new AppError('document.vectors-lost', 'later')
      indexed.push({ passage, vector })
    })
  }
  return indexed
}

/** What a table says of itself is a heading to who looks for it. */
const captionIn = ({ text }: Passage): string[] =>
  /^(?:table|tab\.|exhibit)\s+[\dA-Z][^\n|]*(?=\n+\|)/i.exec(text)?.slice(0, 1) ?? []

/** One step of the index: until it is done, questions find the version before. */
export const indexPassages = async (work: Work, passages: readonly Passage[], version: string): Promise<void> => {
  const { ports, open, signal } = work
  const { id, tenant, document } = open
  const { collection, metadata = {}, access = [] } = document
  const space = ports.embedder.name
  const holder = await ports.catalog.claimEmbedder(tenant, collection, space)
  if (holder !== space)
    throw new Refused(
      'collection.other-embedder',
      `The collection ${collection} was embedded by ${holder} meanwhile. Re-index it, or set the model back, and retry.`,
    )
  await ports.alone(async () => {
    const indexed = await withVectors(work, passages)
    await note(work, { task: 'index' })
    await ports.index.write(tenant, { id, collection, version, metadata, access, space }, indexed, signal)
  }, signal)
  await ports.catalog.noteHeadings(open, passages[0]?.title ?? open.title, [
    ...new Set(passages.flatMap((passage) => [...passage.headingPath, ...captionIn(passage)])),
  ])
}
