import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { DocumentView } from '@plumbline/contracts'
import { name } from '@plumbline/contracts'
import { Fault } from './fault'

const Sample = z.object({
  name,
  description: z.string(),
  documents: z.array(z.object({ title: z.string(), file: z.string() })),
})

type SampleDocument = { file: string; title: string; text: string; digest: string }
export type SampleCollection = { name: string; description: string; documents: SampleDocument[] }

/** Where the sample goes: a file names its document. */
export type SampleDoor = {
  document(file: string): Promise<DocumentView | null>
  describe(collection: string, description: string): Promise<unknown>
  add(document: SampleDocument, collection: string): Promise<unknown>
}

/** Drawings and transcripts are no evidence: a transcript quotes questions and answers about the other documents. */
const prose = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```[ \t]*$/gm, '')

/** The collection that comes with the project: its planets, its explainer, and its own documents. */
export const readSample = (root: string): SampleCollection => {
  const sample = Sample.parse(JSON.parse(readFileSync(join(root, 'sample', 'collection.json'), 'utf8')))
  const present = sample.documents.filter(({ file }) => existsSync(join(root, file)))
  const documents = present.map(({ title, file }) => {
    const text = prose(readFileSync(join(root, file), 'utf8'))
    return { file, title, text, digest: createHash('sha256').update(title).update(text).digest('hex') }
  })
  return { name: sample.name, description: sample.description, documents }
}

/** What must be sent again: new here, changed since, or never finished. */
export const missing = (documents: SampleDocument[], known: (DocumentView | null)[]): SampleDocument[] =>
  documents.filter(({ digest }, at) => known[at]?.metadata?.digest !== digest || known[at]?.status !== 'indexed')

/** Sends what is missing, or everything to a new index, and waits until all of it can be searched. The same content twice is once. */
export const bringSample = async (
  sample: SampleCollection,
  door: SampleDoor,
  { afresh, tell, signal }: { afresh: boolean; tell: (detail: string) => void; signal: AbortSignal },
): Promise<number> => {
  const look = () => Promise.all(sample.documents.map(({ file }) => door.document(file)))
  const send = afresh ? sample.documents : missing(sample.documents, await look())
  if (send.length > 0) await door.describe(sample.name, sample.description)
  for (const document of send) await door.add(document, sample.name)
  for (;;) {
    signal.throwIfAborted()
    const views = await look()
    const failed = views.find((view) => view?.status === 'failed')
    if (failed)
      throw new Fault(
        `The sample document "${failed.title}" could not be indexed: ${failed.error ?? 'no reason was given'}`,
      )
    const done = views.filter((view) => view?.status === 'indexed').length
    if (done === sample.documents.length) return send.length
    tell(`(${done} of ${sample.documents.length} documents)`)
    await wait(50, undefined, { signal })
  }
}
