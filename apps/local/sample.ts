import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { openIngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import { type DocumentsSettings, openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { acceptDocument } from '@plumbline/adapters/files/intake'
import { removeDocument } from '@plumbline/adapters/files/removal'
import { connectFailFast, whenReady } from '@plumbline/adapters/redis/client/client'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { documentIdOf } from '@plumbline/adapters/redis/documents/document'
import { type DocumentView, name } from '@plumbline/contracts'
import { openPassageIndex } from '@plumbline/hosting/passage-index'
import { Fault } from './terminal'

const Sample = z.object({
  name,
  description: z.string(),
  questions: z.array(z.string()).optional(),
  documents: z.array(z.object({ title: z.string(), file: z.string() })),
})

type SampleDocument = { file: string; title: string; text: string; digest: string }
type Described = { description: string; questions?: string[] | undefined }
export type SampleCollection = Described & { name: string; documents: SampleDocument[] }

/** A store for the sample documents. It identifies a document by its collection and its file name. */
export type SampleStore = {
  document(collection: string, file: string): Promise<DocumentView | null>
  describe(collection: string, settings: Described): Promise<unknown>
  add(document: SampleDocument, collection: string): Promise<unknown>
  remove(collection: string, file: string): Promise<unknown>
}

const commandsOf = (transcript: string): string => {
  const lines = transcript.split('\n')
  const isCommand = lines.reduce<boolean[]>((all, line, at) => {
    const goesOn = all[at - 1] === true && (lines[at - 1] ?? '').endsWith('\\')
    return [...all, goesOn || line.startsWith('$ ')]
  }, [])
  return lines.filter((_, at) => isCommand[at]).join('\n')
}

/** Removes the output of commands from a manual, because it quotes answers, which must not become evidence. */
const withoutOutput = (markdown: string): string =>
  markdown.replace(
    /^(```console[ \t]*\n)([\s\S]*?)^(```[ \t]*)$/gm,
    (_, open: string, transcript: string, close: string) => `${open}${commandsOf(transcript)}\n${close}`,
  )

const readCollection = (root: string, file: string): SampleCollection => {
  const sample = Sample.parse(JSON.parse(readFileSync(join(root, 'sample', file), 'utf8')))
  const present = sample.documents.filter((document) => existsSync(join(root, document.file)))
  const documents = present.map(({ title, file }) => {
    const text = withoutOutput(readFileSync(join(root, file), 'utf8'))
    return { file, title, text, digest: createHash('sha256').update(title).update(text).digest('hex') }
  })
  return { ...sample, documents }
}

export const readSample = (root: string): Record<'sample' | 'manuals', SampleCollection> => ({
  sample: readCollection(root, 'collection.json'),
  manuals: readCollection(root, 'plumbline-docs.json'),
})

export const documentsToSend = (documents: SampleDocument[], known: (DocumentView | null)[]): SampleDocument[] =>
  documents.filter(({ digest }, at) => known[at]?.metadata?.digest !== digest || known[at]?.status !== 'indexed')

type SendOptions = { afresh: boolean; signal: AbortSignal }

const readViews = ({ name, documents }: SampleCollection, store: SampleStore): Promise<(DocumentView | null)[]> =>
  Promise.all(documents.map(({ file }) => store.document(name, file)))

const describe = ({ name, description, questions }: SampleCollection, store: SampleStore): Promise<unknown> =>
  store.describe(name, { description, ...(questions && { questions }) })

/** Sends the documents that are new or have changed. If the index is new (`afresh`), sends all documents. */
export const sendSample = async (
  sample: SampleCollection,
  store: SampleStore,
  { afresh, signal }: SendOptions,
): Promise<number> => {
  const { name, documents } = sample
  const send = afresh ? documents : documentsToSend(documents, await readViews(sample, store))
  if (send.length > 0) await describe(sample, store)
  for (const document of send) {
    signal.throwIfAborted()
    await store.add(document, name)
  }
  return send.length
}

/** Waits until all documents can be searched. If a document has changed, its previous version is enough. */
export const waitForSample = async (
  sample: SampleCollection,
  store: SampleStore,
  { afresh, tell, signal }: SendOptions & { tell: (detail: string) => void },
): Promise<void> => {
  for (;;) {
    signal.throwIfAborted()
    const views = await readViews(sample, store)
    const failed = views.find((view) => view?.status === 'failed')
    if (failed)
      throw new Fault(
        `The sample document "${failed.title}" could not be indexed: ${failed.error ?? 'no reason was given'}`,
      )
    const done = views.filter((view) => view?.status === 'indexed' || (!afresh && view?.served !== undefined)).length
    if (done === sample.documents.length) return
    tell(`(${done} of ${sample.documents.length} documents)`)
    await wait(50, undefined, { signal })
  }
}

export const removeMovedManuals = async (
  sample: SampleCollection,
  manuals: SampleCollection,
  store: SampleStore,
): Promise<void> => {
  const before = await readViews({ ...manuals, name: sample.name }, store)
  const moved = manuals.documents.filter((_, at) => before[at])
  for (const { file } of moved) await store.remove(sample.name, file)
  if (moved.length > 0) await describe(sample, store)
}

const takeWithinMs = 30_000

type SampleStoreOptions = {
  tenant: string
  lane: string
  dataDir: string
  documents: DocumentsSettings
  index: Parameters<typeof openPassageIndex>[0]
}

export const sampleTenant = (apiKeys = ''): string => {
  const tenants = apiKeys.split(/[,\n]/).flatMap((entry) => entry.split(':')[1] ?? [])
  return tenants.includes('default') ? 'default' : (tenants[0] ?? 'default')
}

/** Opens the stores of the sample. It uses the catalog instead of the gateway, because this needs no API key. */
export const openSampleStore = async (
  redisUrl: string,
  { tenant, lane, dataDir, documents, index: where }: SampleStoreOptions,
): Promise<SampleStore & { close(): Promise<void> }> => {
  const redis = connectFailFast(redisUrl)
  await whenReady(redis, 5_000)
  const catalog = openCatalog(redis)
  const queue = openIngestQueue(redis, lane)
  const files = await openDocumentFiles(join(dataDir, 'documents'), documents)
  const idOf = (collection: string, file: string): string => documentIdOf(tenant, collection, { name: file })
  return {
    document: (collection, file) => catalog.document(tenant, idOf(collection, file)),
    describe: (name, settings) => catalog.putCollection(tenant, name, settings),
    add: async ({ file, title, text, digest }, collection) => {
      const id = idOf(collection, file)
      const known = await catalog.document(tenant, id)
      // Remove an unchanged document that is already indexed. Otherwise, the new index would not get it.
      if (known?.status === 'indexed' && known.metadata?.digest === digest) await catalog.removeDocument(tenant, id)
      const fields = { name: file, title, collection, metadata: { digest }, format: 'markdown' as const }
      await acceptDocument(
        { catalog, files, queue },
        tenant,
        fields,
        { kind: 'text', text },
        { signal: AbortSignal.timeout(takeWithinMs) },
      )
    },
    remove: async (collection, file) => {
      const id = idOf(collection, file)
      const index = await openPassageIndex(where)
      const removePassages = (...of: Parameters<typeof index.remove>) => index.remove(...of)
      const unlist = () => catalog.removeDocument(tenant, id)
      await removeDocument(
        { catalog, removePassages, files },
        tenant,
        id,
        unlist,
        AbortSignal.timeout(takeWithinMs),
      ).finally(() => index.close())
    },
    close: async () => {
      await queue.close()
      await files.close()
      redis.disconnect()
    },
  }
}
