import type { Passage } from '@plumbline/contracts'
import { headed } from '@plumbline/knowledge/chunking'
import { AppError } from '@plumbline/platform'
import { between, note, noteDone, percentAfter, rest, type Work } from './work'

export const embedAtOnce = 32

type Batch = { nth: number; passages: Passage[]; of: { space: string; texts: string[] } }

/** The passages in the batches in which they are embedded and kept. */
export function* batchesOf(passages: readonly Passage[], space: string): Generator<Batch> {
  for (let nth = 0; nth * embedAtOnce < passages.length; nth += 1) {
    const own = passages.slice(nth * embedAtOnce, (nth + 1) * embedAtOnce)
    yield { nth, passages: own, of: { space, texts: own.map(headed) } }
  }
}

const embedBatch = async ({ ports, open, signal }: Work, { nth, of }: Batch): Promise<void> => {
  const { embedder, charge, files } = ports
  const vectors = await embedder.embed(of.texts, signal, ({ usage }) => charge?.(open, usage))
  if (vectors.length !== of.texts.length) throw new AppError('embedder.short', 'later')
  await files.putVectors(open.id, open.revision, nth, of, vectors)
}

/** A vector for each passage, on disk: what was embedded before is not paid for twice. */
export const embedPassages = async (work: Work, passages: readonly Passage[]): Promise<void> => {
  const { ports, open } = work
  await note(work, { task: 'embed' })
  for (const batch of batchesOf(passages, ports.embedder.name)) {
    if (await ports.files.vectors(open.id, open.revision, batch.nth, batch.of)) continue
    await rest(work)
    await embedBatch(work, batch)
    const done = Math.min((batch.nth + 1) * embedAtOnce, passages.length)
    await noteDone(work, { percent: between(percentAfter.chunk, percentAfter.embed, done / passages.length) })
  }
}
