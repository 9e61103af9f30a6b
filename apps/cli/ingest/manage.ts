import { type Client, createClient } from '@plumbline/client'
import { cleanName, type DocumentView, fileNameOf, titleBesideFile } from '@plumbline/contracts'
import { count, type Screen, truncated } from '../render/text'
import type { IngestOptions } from './args'
import { WrongArgument } from './find-files'
import { listDocuments } from './prune'

type ManageOptions = { options: IngestOptions; screen: Screen; output: { write(text: string): unknown } }

const clientOf = ({ url, key }: IngestOptions): Client => createClient({ url, ...(key && { key }) })
const nameOf = ({ name, title, id }: DocumentView): string => cleanName(name ?? (title || id))

/** Returns the name of a document. For an uploaded file without a name, returns the title and the name of the file. */
const shownName = (document: DocumentView): string => {
  const file = document.name === undefined ? fileNameOf(document) : undefined
  return file === undefined ? nameOf(document) : cleanName(titleBesideFile(document.title, file))
}

const rowOf = (document: DocumentView, { paint, width }: Screen): string => {
  const { id, status, progress, error } = document
  const names = Math.max(20, width - 47)
  const size = status === 'indexed' ? count(progress.passages, 'passage') : status
  const row = `  ${truncated(shownName(document), names).padEnd(names)}  ${size.padEnd(14)}  ${paint.dim(id)}`
  return error === undefined ? row : `${row}\n      ${paint.bad(cleanName(error))}`
}

export const printDocuments = async ({ options, screen, output }: ManageOptions): Promise<number> => {
  const { collection, places, json } = options
  const documents: DocumentView[] = []
  for await (const document of listDocuments(clientOf(options), { collection, words: places.join(' ') })) {
    documents.push(document)
    if (!json) output.write(`${rowOf(document, screen)}\n`)
  }
  if (json) output.write(`${JSON.stringify({ documents })}\n`)
  else output.write(`${count(documents.length, 'document')} in ${collection}\n`)
  return 0
}

/** Removes the named documents. If one of the names is unknown, removes no document at all. */
export const removeNamed = async ({ options, screen, output }: ManageOptions): Promise<number> => {
  const { collection, places, json } = options
  const client = clientOf(options)
  const wanted = new Set(places.map(cleanName))
  const found: DocumentView[] = []
  for await (const document of listDocuments(client, { collection })) {
    const named = [document.name, document.id].filter((name) => name !== undefined && wanted.has(name))
    if (named.length === 0) continue
    found.push(document)
    for (const name of named) wanted.delete(name ?? '')
  }
  if (wanted.size > 0)
    throw new WrongArgument(
      `Nothing was removed: ${[...wanted].join(', ')} ${wanted.size === 1 ? 'is' : 'are'} not in ${collection}. npm run ingest -- ls --collection ${collection} lists the documents.`,
    )
  for (const document of found) {
    await client.removeDocument(document.id)
    if (!json) output.write(`  ${screen.paint.bad('−')} ${nameOf(document)}\n`)
  }
  if (json) output.write(`${JSON.stringify({ removed: found.map(nameOf) })}\n`)
  else output.write(`${count(found.length, 'document')} removed from ${collection}\n`)
  return 0
}
