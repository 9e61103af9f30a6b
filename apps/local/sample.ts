import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { openIngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import { type DocumentsSettings, openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { takeDocument } from '@plumbline/adapters/files/intake'
import { connectFailFast, documentIdOf, openCatalog, whenReady } from '@plumbline/adapters/redis'
import { type DocumentView, name } from '@plumbline/contracts'
import { Fault } from './terminal'

const Sample = z.object({
  name,
  description: z.string(),
  questions: z.array(z.string()),
  documents: z.array(z.object({ title: z.string(), file: z.string() })),
})

type SampleDocument = { file: string; title: string; text: string; digest: string }
type Described = { description: string; questions: string[] }
export type SampleCollection = Described & { name: string; documents: SampleDocument[] }

/** Where the sample goes: a file names its document. */
export type SampleDoor = {
  document(file: string): Promise<DocumentView | null>
  describe(collection: string, settings: Described): Promise<unknown>
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
  return { ...sample, documents }
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
  if (send.length > 0)
    await door.describe(sample.name, { description: sample.description, questions: sample.questions })
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

const takeWithinMs = 30_000

type Where = { tenant: string; lane: string; dataDir: string; documents: DocumentsSettings; collection: string }

/** Where whoever reads the screen will look for it: in local mode's tenant, or in that of the first key. */
export const sampleTenant = (apiKeys = ''): string => {
  const tenants = apiKeys.split(/[,\n]/).flatMap((entry) => entry.split(':')[1] ?? [])
  return tenants.includes('default') ? 'default' : (tenants[0] ?? 'default')
}

/** Straight to the catalog: the sample collection needs no key of anybody's. A file names its document, so that a changed one replaces it. */
export const openSampleDoor = async (
  redisUrl: string,
  { tenant, lane, dataDir, documents, collection }: Where,
): Promise<SampleDoor & { close(): Promise<void> }> => {
  const redis = connectFailFast(redisUrl)
  await whenReady(redis, 5_000)
  const catalog = openCatalog(redis)
  const queue = openIngestQueue(redis, lane)
  const files = await openDocumentFiles(join(dataDir, 'documents'), documents)
  const idOf = (file: string): string => documentIdOf(tenant, collection, { name: file })
  return {
    document: (file) => catalog.document(tenant, idOf(file)),
    describe: (name, settings) => catalog.putCollection(tenant, name, settings),
    add: async ({ file, title, text, digest }) => {
      const known = await catalog.document(tenant, idOf(file))
      // What is sent again unchanged is missing from an index that was begun anew.
      if (known?.status === 'indexed' && known.metadata?.digest === digest)
        await catalog.removeDocument(tenant, idOf(file))
      const fields = { name: file, title, collection, metadata: { digest }, format: 'markdown' as const }
      await takeDocument(
        { catalog, files, queue },
        tenant,
        fields,
        { kind: 'text', text },
        { signal: AbortSignal.timeout(takeWithinMs) },
      )
    },
    close: async () => {
      await queue.close()
      await files.close()
      redis.disconnect()
    },
  }
}
