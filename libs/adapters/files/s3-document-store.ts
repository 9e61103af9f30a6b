import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import { AppError } from '@plumbline/platform'
import {
  type DocumentStore,
  type ListedRevision,
  type LocalFile,
  makesRevision,
  partsThatMake,
  type Revision,
  type StoredDocument,
  type Tombstones,
  unfinishedSuffix,
} from '@plumbline/ports/document-store'
import { clientAddress, isNoSuchKey, isS3Fault, loadS3, objectsUnder, type S3Address } from '../s3/client'
import {
  dropUnfinished,
  folderOfTenant,
  documentGoneError,
  safeId,
  tenantOfFolder,
  tombstoneFolder,
  tombstoneOf,
} from './layout'
import { writeToFile } from './write-to-file'

export type S3DocumentSettings = S3Address & {
  bucket: string
  prefix?: string | undefined
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined
}

const limits = { connectMs: 3_000, silentMs: 20_000, putTries: 3, putAgainMs: 200, atOnce: 8 }
const digestName = 'sha256'

/** Turns every failure of the store into a temporary error, even a rejected request, so that callers try again. */
const passing = (where: string, error: unknown, signal?: AbortSignal): unknown => {
  if (signal?.aborted) return signal.reason
  if (error instanceof AppError) return error
  const said = isS3Fault(error)
    ? `The response was ${error.$metadata.httpStatusCode ?? 'missing'} (${error.name}).`
    : error instanceof Error
      ? error.message
      : ''
  return new AppError('documents.unavailable', 'later', {
    cause: new Error(`The document store (${where}) is currently unavailable. ${said}`, { cause: error }),
  })
}

/** The S3 client prints warnings unless it gets a logger that does nothing. */
const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const openClient = async (settings: S3DocumentSettings): Promise<S3Client> => {
  const { S3Client } = await loadS3()
  return new S3Client({
    ...clientAddress(settings),
    logger,
    requestHandler: { connectionTimeout: limits.connectMs, socketTimeout: limits.silentMs },
    // By default the client adds checksums that many S3-compatible servers do not support. This setting omits them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(settings.credentials && { credentials: settings.credentials }),
  })
}

const measured = (content: Uint8Array | LocalFile): Omit<LocalFile, 'path'> =>
  content instanceof Uint8Array
    ? { bytes: content.byteLength, digest: createHash('sha256').update(content).digest('hex') }
    : content

type Bucket = { client: S3Client; bucket: string; where: string }

const putObject = async ({ client, bucket, where }: Bucket, key: string, content: Uint8Array | LocalFile) => {
  const { PutObjectCommand } = await loadS3()
  const { bytes, digest } = measured(content)
  for (let tries = 1; ; tries += 1) {
    const unreadable = new AbortController()
    const body = content instanceof Uint8Array ? content : createReadStream(content.path)
    if (!(body instanceof Uint8Array)) body.once('error', (error) => unreadable.abort(error))
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: body,
      ContentLength: bytes,
      Metadata: { [digestName]: digest },
    })
    command.middlewareStack.add(
      (next) => (args) => {
        const { headers } = args.request as { headers: Record<string, string> }
        headers['x-amz-content-sha256'] = digest
        return next(args)
      },
      { step: 'build', name: 'signedDigest' },
    )
    try {
      return void (await client.send(command, { abortSignal: unreadable.signal }))
    } catch (error) {
      unreadable.signal.throwIfAborted()
      if (tries === limits.putTries) throw passing(where, error)
      await wait(limits.putAgainMs * tries)
    } finally {
      if (!(body instanceof Uint8Array)) body.destroy()
    }
  }
}

const readObject = async ({ client, bucket, where }: Bucket, key: string): Promise<Buffer | null> => {
  const { GetObjectCommand } = await loadS3()
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
    return Body ? Buffer.from(await Body.transformToByteArray()) : null
  } catch (error) {
    if (isNoSuchKey(error)) return null
    throw passing(where, error)
  }
}

const download = async (
  { client, bucket, where }: Bucket,
  key: string,
  path: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const { GetObjectCommand } = await loadS3()
  try {
    const { Body, Metadata } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }), {
      abortSignal: signal,
    })
    const hash = createHash('sha256')
    const counted = async function* (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        hash.update(piece)
        yield piece
      }
    }
    await writeToFile(path, Body as Readable, counted, signal)
    if (hash.digest('hex') !== Metadata?.[digestName])
      throw new Error(`The stored object ${key} differs from the data that was written.`)
    return true
  } catch (error) {
    if (isNoSuchKey(error)) return false
    throw passing(where, error, signal)
  }
}

const revisionOf = (path: string): Revision | null => {
  const [folder = '', id, revision, part] = path.split('/')
  const tenant = tenantOfFolder(folder)
  return tenant !== null && id && revision && part ? { tenant, id, revision } : null
}

const isSame = (one: Revision, other: Revision): boolean =>
  one.tenant === other.tenant && one.id === other.id && one.revision === other.revision

const several = async <Item>(items: AsyncIterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> => {
  let under: Promise<unknown>[] = []
  for await (const item of items) {
    const working = work(item)
    // Without this handler, a failure before `Promise.all` would be an unhandled rejection.
    working.catch(() => undefined)
    under.push(working)
    if (under.length < limits.atOnce) continue
    await Promise.all(under)
    under = []
  }
  await Promise.all(under)
}

const objectsIn = (parts: Bucket, root: string) => {
  const { client, bucket, where } = parts
  const head = async (key: string): Promise<{ bytes: number; digest: string } | null> => {
    const { HeadObjectCommand } = await loadS3()
    try {
      const { ContentLength = 0, Metadata } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
      return { bytes: ContentLength, digest: Metadata?.[digestName] ?? '' }
    } catch (error) {
      if (isNoSuchKey(error)) return null
      throw passing(where, error)
    }
  }
  const under = async function* (prefix: string, signal = new AbortController().signal) {
    const endless = () =>
      new AppError('documents.unavailable', 'later', { cause: new Error('the bucket list has no continuation token') })
    try {
      yield* objectsUnder({ client, bucket, prefix: root + prefix, signal, endless })
    } catch (error) {
      throw passing(where, error, signal)
    }
  }
  const remove = async (key: string): Promise<void> => {
    const { DeleteObjectCommand } = await loadS3()
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })).catch((error: unknown) => {
      throw passing(where, error)
    })
  }
  return {
    head,
    under,
    remove,
    /** Removes the file `original.json` of each revision first. Without it, `put` rejects new files of the revision. */
    removeUnder: async (prefix: string): Promise<void> => {
      const keys: string[] = []
      for await (const { key } of under(prefix)) keys.push(key)
      if (keys.length === 0) return
      await Promise.all(keys.filter((key) => key.endsWith(`/${partsThatMake.about}`)).map(remove))
      await several(under(prefix), ({ key }) => remove(key))
    },
  }
}

const listedIn = async function* (
  objects: ReturnType<typeof objectsIn>,
  root: string,
  tenant: string | null,
  signal: AbortSignal,
): AsyncGenerator<ListedRevision> {
  let current: (ListedRevision & { parts: string[] }) | undefined
  for await (const { key, object } of objects.under(tenant === null ? '' : `${folderOfTenant(tenant)}/`, signal)) {
    const of = revisionOf(key.slice(root.length))
    if (!of) continue
    if (current && !isSame(current, of)) {
      yield current
      current = undefined
    }
    const [, , , part = '', ...inFolder] = key.slice(root.length).split('/')
    const parts: string[] = current?.parts ?? []
    if (inFolder.length === 0) parts.push(part)
    const touchedAt = Math.max(current?.touchedAt ?? 0, object.LastModified?.getTime() ?? Infinity)
    current = { ...of, touchedAt, parts }
  }
  if (current) yield current
}

const tombstonesIn = (parts: Bucket, objects: ReturnType<typeof objectsIn>, root: string): Tombstones => {
  const keyOf = ({ tenant, id }: StoredDocument): string =>
    `${root}${tombstoneFolder}/${folderOfTenant(tenant)}/${safeId(id)}.json`
  return {
    put: (document, content) => putObject(parts, keyOf(document), content),
    read: (document) => readObject(parts, keyOf(document)),
    drop: (document) => objects.remove(keyOf(document)),
    list: async function* (signal) {
      for await (const { key, object } of objects.under(`${tombstoneFolder}/`, signal)) {
        const document = tombstoneOf(key.slice(`${root}${tombstoneFolder}/`.length))
        if (document) yield { ...document, touchedAt: object.LastModified?.getTime() ?? Infinity }
      }
    },
  }
}

const revisionsUnder = async (
  objects: ReturnType<typeof objectsIn>,
  root: string,
  prefix: string,
): Promise<string[]> => {
  const found = new Set<string>()
  for await (const { key } of objects.under(prefix)) {
    const of = revisionOf(key.slice(root.length))
    if (of) found.add(of.revision)
  }
  return [...found]
}

export const openS3DocumentStore = async (settings: S3DocumentSettings, incoming: string): Promise<DocumentStore> => {
  const { bucket, prefix = '' } = settings
  const root = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`
  await mkdir(incoming, { recursive: true })
  const client = await openClient(settings)
  const where = `the bucket ${bucket}`
  const parts: Bucket = { client, bucket, where }
  const objects = objectsIn(parts, root)
  const documentAt = ({ tenant, id }: StoredDocument): string => `${folderOfTenant(tenant)}/${safeId(id)}/`
  const at = (of: Revision, part = ''): string => `${documentAt(of)}${safeId(of.revision)}/${part}`
  const keyAt = (of: Revision, part: string): string => root + at(of, part)

  return {
    where,
    incoming,
    // A sweep runs only once a day, because it lists every object of the bucket.
    sweepEveryMs: 24 * 3_600_000,
    put: async (of, part, content) => {
      await putObject(parts, keyAt(of, part), content)
      if (makesRevision(part) || (await objects.head(keyAt(of, partsThatMake.about)))) return
      await objects.remove(keyAt(of, part))
      throw documentGoneError()
    },
    size: async (of, part) => (await objects.head(keyAt(of, part)))?.bytes ?? null,
    read: (of, part) => readObject(parts, keyAt(of, part)),
    withFile: async (of, part, signal, use) => {
      const path = join(incoming, `${randomUUID()}${unfinishedSuffix}`)
      try {
        return (await download(parts, keyAt(of, part), path, signal)) ? await use(path) : null
      } finally {
        await rm(path, { force: true })
      }
    },
    parts: async (of) => {
      const found: { name: string; bytes: number; digest: string }[] = []
      await several(objects.under(at(of)), async ({ key }) => {
        const held = await objects.head(key)
        if (held) found.push({ name: key.slice(keyAt(of, '').length), ...held })
      })
      return found
    },
    drop: (of, folder = '') => objects.removeUnder(at(of, folder === '' ? '' : `${folder}/`)),
    dropPart: (of, part) => objects.remove(keyAt(of, part)),
    remove: (document) => objects.removeUnder(documentAt(document)),
    revisions: (document) => revisionsUnder(objects, root, documentAt(document)),
    tombstones: tombstonesIn(parts, objects, root),
    list: (tenant, signal) => listedIn(objects, root, tenant, signal),
    tidy: (untouchedMs) => dropUnfinished(incoming, untouchedMs),
    check: async () => {
      const { HeadBucketCommand } = await loadS3()
      await client.send(new HeadBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
        throw passing(where, error)
      })
    },
    close: () => Promise.resolve(client.destroy()),
  }
}
