import { type Client, ProblemError } from '@plumbline/client'
import { cleanName, type DocumentView } from '@plumbline/contracts'
import { count } from '../render/text'
import { type FindResult, WrongArgument } from './find-files'
import { sendWithRetries, type UploadOptions } from './upload'

const page = 100

export async function* listDocuments(
  client: Client,
  query: { collection: string; words?: string },
  signal?: AbortSignal,
): AsyncGenerator<DocumentView> {
  for (let cursor: string | undefined; ;) {
    const { items, next } = await client.documents({ ...query, limit: page, ...(cursor && { cursor }), signal })
    yield* items
    if (next === null) return
    cursor = next
  }
}

/** Returns the documents whose file is in none of the given folders any more. Ignores web pages and pasted texts. */
const missingFrom = async ({ found, leftOut }: FindResult, { client, options, stopping }: UploadOptions) => {
  const there = new Set([...found, ...leftOut].map(({ name }) => cleanName(name)))
  const gone: DocumentView[] = []
  let files = 0
  for await (const document of listDocuments(client, { collection: options.collection }, stopping)) {
    // Skip a document that was imported from a source, because only the source may remove it.
    if (document.source?.kind !== 'file' || document.name === undefined || document.from) continue
    files += 1
    if (!there.has(document.name)) gone.push(document)
  }
  return { gone, files }
}

/**
 * Returns the documents to remove. If these are more than half of the files, throws unless `--yes` is given, because
 * the folder may be the wrong one.
 */
export const documentsToPrune = async (finding: FindResult, uploading: UploadOptions): Promise<DocumentView[]> => {
  const { options } = uploading
  const [closed] = finding.leftOut.filter(({ why }) => why === 'unreadable')
  if (closed)
    throw new WrongArgument(
      `Nothing was removed. ${closed.name} cannot be read, so --prune would remove all its documents. Make ${closed.name} readable, or omit --prune.`,
    )
  const { gone, files } = await missingFrom(finding, uploading)
  if (gone.length * 2 > files && !options.yes)
    throw new WrongArgument(
      `Nothing was removed: ${count(gone.length, 'document')} of ${files} in ${options.collection} ${gone.length === 1 ? 'is' : 'are'} in none of the given folders. Give all folders of the collection. To remove these documents, add --yes.`,
    )
  return gone
}

/** Ignores an error with status 404, because the document has then already been removed. */
const ignoreNotFound = (error: unknown): void => {
  if (!(error instanceof ProblemError && error.problem.status === 404)) throw error
}

export const removeAll = async (documents: DocumentView[], uploading: UploadOptions): Promise<void> => {
  const { client, options, stopping } = uploading
  const waiting = [...documents]
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const { id } = one
      await sendWithRetries(() => client.removeDocument(id, { signal: stopping }), uploading).catch(ignoreNotFound)
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, work))
}
