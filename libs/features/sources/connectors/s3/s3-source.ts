import type { S3Client, _Object as StoredObject } from '@aws-sdk/client-s3'
import type { S3Settings } from '@plumbline/contracts'
import { SourceError, type DocumentSource, type Listed } from '@plumbline/ports/document-source'
import type { Guard } from '@plumbline/adapters/fetching/target'
import { clientAddress, isNoSuchKey, isS3Fault, loadS3, objectsUnder } from '@plumbline/adapters/s3/client'
import { folderPrefix, isHiddenPath, itemPath } from '../base/item-path'
import type { S3Credentials, SourceLimits } from '../base/options'
import { guardedHandler } from './guarded-handler'
import { unavailable } from '../base/source-errors'

const permanent = (bucket: string): Record<string, [SourceError['reason'], string]> => ({
  NoSuchBucket: ['not-found', `There is no bucket ${bucket}. Check its name, region and endpoint.`],
  AccessDenied: [
    'no-access',
    `The bucket ${bucket} refuses access. Choose credentials that may list and read the bucket, or give these credentials that right.`,
  ],
  InvalidAccessKeyId: ['no-access', 'The server does not know these credentials. Ask the operator to check them.'],
  SignatureDoesNotMatch: ['no-access', 'The server rejects these credentials. Ask the operator to check them.'],
  PermanentRedirect: [
    'not-found',
    `The bucket ${bucket} is in another region. Set the region of the bucket in the source.`,
  ],
  AuthorizationHeaderMalformed: [
    'not-found',
    `The bucket ${bucket} is in another region. Set the region of the bucket in the source.`,
  ],
  InvalidObjectState: [
    'no-access',
    'The file is in an archive storage class. Restore the file; the next sync then reads it.',
  ],
})

/** The result contains only the code of the server's error, because the server's message may contain the request. */
const asFault = (error: unknown, bucket: string): unknown => {
  if (!isS3Fault(error)) return error
  const status = error.$metadata?.httpStatusCode
  const cause = new Error(`${error.name} (${status ?? 'no answer'})`)
  const known = permanent(bucket)[error.name] ?? (status === 403 ? permanent(bucket)['AccessDenied'] : undefined)
  if (known) return new SourceError(known[0], 'never', known[1], { cause })
  if (status !== undefined && status < 500 && status !== 429 && status >= 300)
    return new SourceError(
      'unreadable',
      'never',
      `The server returned ${status} (${error.name}) for the bucket ${bucket}.`,
      {
        cause,
      },
    )
  return unavailable(`The bucket ${bucket}`, cause)
}

const archived = new Set<string | undefined>(['GLACIER', 'DEEP_ARCHIVE'])

const listedObject = (object: StoredObject, key: string, prefix: string): Listed | null => {
  const path = key.slice(prefix.length)
  if (path.endsWith('/') || path === '' || (itemPath(path) !== null && isHiddenPath(path))) return null
  if (archived.has(object.StorageClass))
    return {
      kind: 'skipped',
      path,
      why: 'The file is in an archive storage class. Restore the file; the next sync then reads it.',
    }
  const version = object.ETag?.replaceAll('"', '') ?? `${object.Size}-${object.LastModified?.toISOString()}`
  return { kind: 'item', item: { path, version, ...(object.Size !== undefined && { size: object.Size }) } }
}

async function* pages(
  { bucket }: S3Settings,
  prefix: string,
  client: S3Client,
  signal: AbortSignal,
): AsyncGenerator<Listed> {
  const endless = () =>
    new SourceError(
      'unreadable',
      'never',
      `The bucket ${bucket} sent only a part of its list of files. Ask the operator to check the S3 server.`,
    )
  for await (const { key, object } of objectsUnder({ client, bucket, prefix, signal, endless })) {
    const listed = listedObject(object, key, prefix)
    if (listed) yield listed
  }
}

/** Without credentials, the bucket is read anonymously, never with the credentials of this machine. */
const clientOf = async (
  settings: S3Settings,
  credentials: S3Credentials | undefined,
  guard: Guard,
  limits: SourceLimits,
) => {
  const { S3Client } = await loadS3()
  const nobody = { accessKeyId: 'nobody', secretAccessKey: 'nobody' }
  return new S3Client({
    ...clientAddress(settings),
    requestHandler: guardedHandler(guard, limits.fileBytes, limits.readMs),
    responseChecksumValidation: 'WHEN_REQUIRED',
    credentials: credentials ?? nobody,
    ...(!credentials && { signer: { sign: async (request) => request } }),
  })
}

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
      const { GetObjectCommand } = await loadS3()
      try {
        const command = new GetObjectCommand({ Bucket: bucket, Key: prefix + path })
        const { Body, ContentType } = await (await client()).send(command, { abortSignal: signal })
        if (!Body) return null
        const mediaType = ContentType?.split(';')[0]?.trim().toLowerCase()
        const isTold = mediaType !== undefined && !mediaType.endsWith('/octet-stream')
        return { content: Body as AsyncIterable<Uint8Array>, ...(isTold && { mediaType }) }
      } catch (error) {
        if (isNoSuchKey(error)) return null
        throw asFault(error, bucket)
      }
    },
    close: async () => (await opened)?.destroy(),
  }
}
