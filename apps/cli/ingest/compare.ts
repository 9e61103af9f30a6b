import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { cleanName, DocumentFields, type DocumentView } from '@plumbline/contracts'
import type { FoundItem } from './find-files'
import { sendWithRetries, sharedFields, type UploadOptions, type UploadResult } from './upload'

const atOnce = 100
type FoundFile = Extract<FoundItem, { kind: 'file' }>

/** The hashes of files by path. A file is read again only if its size or its modification time has changed. */
export type Digests = Map<string, { stamp: string; sha256: string }>

/** Returns the hash of a file, or null if the file cannot be read. Sending such a file then reports the error. */
const digestOf = async (path: string, known: Digests): Promise<string | null> => {
  try {
    const { size, mtimeMs, ino } = await stat(path)
    const stamp = `${ino}:${size}:${mtimeMs}`
    const before = known.get(path)
    if (before?.stamp === stamp) return before.sha256
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    const sha256 = hash.digest('hex')
    known.set(path, { stamp, sha256 })
    return sha256
  } catch {
    return null
  }
}

const unchangedResult = ({ name, format }: FoundFile, document: DocumentView): UploadResult => ({
  name,
  format,
  outcome: 'unchanged',
  pages: document.progress.ofPages ?? document.progress.pages ?? 0,
  passages: document.progress.passages,
  notes: document.notes ?? [],
  view: { ...document, taken: 'unchanged' },
})

export const compareFiles = async (
  found: FoundItem[],
  uploading: UploadOptions,
  known: Digests,
): Promise<{ toSend: FoundItem[]; unchanged: UploadResult[] }> => {
  const { client, options, stopping } = uploading
  const isNamed = ({ name }: FoundItem): boolean => DocumentFields.shape.name.safeParse(name).success
  const files = found.filter((one) => one.kind === 'file').filter(isNamed)
  const unchanged = new Map<FoundItem, UploadResult>()
  for (let at = 0; at < files.length; at += atOnce) {
    const some = files.slice(at, at + atOnce)
    const digests = await Promise.all(some.map(({ path }) => digestOf(path, known)))
    stopping.throwIfAborted()
    const named = some.flatMap(({ name }, i) => (digests[i] ? [{ name, sha256: digests[i] }] : []))
    if (named.length === 0) continue
    const asked = { ...sharedFields(options), files: named }
    const { items } = await sendWithRetries(() => client.compareFiles(asked, { signal: stopping }), uploading)
    const byName = new Map(items.map((item) => [item.name, item]))
    for (const one of some) {
      const { taken, document } = byName.get(cleanName(one.name)) ?? {}
      if (taken === 'unchanged' && document?.status === 'indexed') unchanged.set(one, unchangedResult(one, document))
    }
  }
  return { toSend: found.filter((one) => !unchanged.has(one)), unchanged: [...unchanged.values()] }
}
