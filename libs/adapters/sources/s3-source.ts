import type { S3Client, _Object as StoredObject } from '@aws-sdk/client-s3'
import type { S3Settings } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { SourceError, type DocumentSource, type Listed } from '@plumbline/ports/document-source'
import type { Guard } from '../fetching/target'
import { folderPrefix, isHiddenPath, itemPath } from './item-path'
import type { S3Credentials, SourceLimits } from './options'
import { guardedHandler } from './s3/guarded-handler'
import { unavailable } from './source-errors'

/** Loaded when the first bucket is opened: it is large, and most systems have none. */
const load = () => import('@aws-sdk/client-s3')

type Fault = { name: string; $metadata?: { httpStatusCode?: number } }
/** What a server said; the client marks our own errors as well. */
const isFault = (error: unknown): error is Fault =>
  error instanceof Error && '$metadata' in error && !(error instanceof AppError)

const permanent = (bucket: string): Record<string, [SourceError['reason'], string]> => ({
  NoSuchBucket: ['not-found', `There is no bucket ${bucket} there. Look at its name, region and endpoint again.`],
  AccessDenied: [
    'no-access',
    `The bucket ${bucket} does not let us in. Name credentials that may list and read it, or have these given the right.`,
  ],
  InvalidAccessKeyId: ['no-access', 'The server does not know these credentials. Have the operator look at them.'],
  SignatureDoesNotMatch: ['no-access', 'The server does not take these credentials. Have the operator look at them.'],
  PermanentRedirect: ['not-found', `The bucket ${bucket} is in another region. Name its region.`],
  AuthorizationHeaderMalformed: ['not-found', `The bucket ${bucket} is in another region. Name its region.`],
  InvalidObjectState: ['no-access', 'The file is in an archive. Restore it, then it is read.'],
})

const asFault = (error: unknown, bucket: string): unknown => {
  if (!isFault(error)) return error
  const status = error.$metadata?.httpStatusCode
  const known = permanent(bucket)[error.name] ?? (status === 403 ? permanent(bucket)['AccessDenied'] : undefined)
  if (known) return new SourceError(known[0], 'never', known[1], { cause: error })
  if (status !== undefined && status < 500 && status !== 429 && status >= 300)
    return new SourceError('unreadable', 'never', `The server answers ${status} (${error.name}) for ${bucket}.`, {
      cause: error,
    })
  return unavailable(`The bucket ${bucket}`, error)
}

const isGone = (error: unknown): boolean => isFault(error) && (error.name === 'NoSuchKey' || error.name === 'NotFound')

const archived = new Set<string | undefined>(['GLACIER', 'DEEP_ARCHIVE'])

/** Keys of an answer that says so are encoded as in an address: XML cannot hold every character that a key may have. */
const keyOf = (key: string, encoding: string | undefined): string => {
  if (encoding !== 'url') return key
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return key
  }
}

/** Null for what stands for a folder, and for what is hidden. */
const listedObject = (object: StoredObject, key: string, prefix: string): Listed | null => {
  const path = key.slice(prefix.length)
  if (path.endsWith('/') || path === '' || (itemPath(path) !== null && isHiddenPath(path))) return null
  if (archived.has(object.StorageClass))
    return { kind: 'skipped', path, why: 'It is in an archive. Restore it, then it is read.' }
  const version = object.ETag?.replaceAll('"', '') ?? `${object.Size}-${object.LastModified?.toISOString()}`
  return { kind: 'item', item: { path, version, ...(object.Size !== undefined && { size: object.Size }) } }
}

async function* pages(
  { bucket }: S3Settings,
  prefix: string,
  client: S3Client,
  signal: AbortSignal,
): AsyncGenerator<Listed> {
  const { ListObjectsV2Command } = await load()
  let token: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token, EncodingType: 'url' }),
      { abortSignal: signal },
    )
    for (const object of page.Contents ?? []) {
      const key = keyOf(object.Key ?? '', page.EncodingType)
      const listed = key.startsWith(prefix) ? listedObject(object, key, prefix) : null
      if (listed) yield listed
    }
    if (page.IsTruncated && (!page.NextContinuationToken || page.NextContinuationToken === token))
      throw new SourceError('unreadable', 'never', `${bucket} says that its list goes on, and not where.`)
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token !== undefined)
}

/** Without credentials a bucket is asked as everybody may ask it; those of the machine are never taken. */
const clientOf = async (
  settings: S3Settings,
  credentials: S3Credentials | undefined,
  guard: Guard,
  limits: SourceLimits,
) => {
  const { S3Client } = await load()
  const { endpoint, region, pathStyle } = settings
  const nobody = { accessKeyId: 'nobody', secretAccessKey: 'nobody' }
  return new S3Client({
    region: region ?? 'us-east-1',
    forcePathStyle: pathStyle ?? endpoint !== undefined,
    requestHandler: guardedHandler(guard, limits.fileBytes, limits.readMs),
    responseChecksumValidation: 'WHEN_REQUIRED',
    followRegionRedirects: endpoint === undefined,
    credentials: credentials ?? nobody,
    ...(endpoint !== undefined && { endpoint }),
    ...(!credentials && { signer: { sign: async (request) => request } }),
  })
}

/** Objects of a bucket, or of a folder of it. */
export const openS3 = (
  settings: S3Settings,
  credentials: S3Credentials | undefined,
  guard: Guard,
  limits: SourceLimits,
): DocumentSource => {
  const { bucket } = settings
  const prefix = folderPrefix(settings.prefix)
  let opened: Promise<S3Client> | undefined
  const client = () => (opened ??= clientOf(settings, credentials, guard, limits))
  return {
    list: async function* (signal) {
      try {
        yield* pages(settings, prefix, await client(), signal)
      } catch (error) {
        throw asFault(error, bucket)
      }
    },
    read: async (item, signal) => {
      const path = item.key ?? item.path
      if (itemPath(path) === null || isHiddenPath(path)) return null
      const { GetObjectCommand } = await load()
      try {
        const command = new GetObjectCommand({ Bucket: bucket, Key: prefix + path })
        const { Body, ContentType } = await (await client()).send(command, { abortSignal: signal })
        if (!Body) return null
        const mediaType = ContentType?.split(';')[0]?.trim().toLowerCase()
        const isTold = mediaType !== undefined && !mediaType.endsWith('/octet-stream')
        return { content: Body as AsyncIterable<Uint8Array>, ...(isTold && { mediaType }) }
      } catch (error) {
        if (isGone(error)) return null
        throw asFault(error, bucket)
      }
    },
    close: async () => (await opened)?.destroy(),
  }
}
