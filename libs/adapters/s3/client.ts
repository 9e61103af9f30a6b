import type { S3Client, S3ClientConfig, _Object as StoredObject } from '@aws-sdk/client-s3'

/** The library is loaded only when a bucket is opened, because it is large and few systems use S3. */
export const loadS3 = () => import('@aws-sdk/client-s3')

export type S3Address = {
  endpoint?: string | undefined
  region?: string | undefined
  pathStyle?: boolean | undefined
}

/** With a custom endpoint, the name of the bucket is by default part of the URL's path, not of its host name. */
export const clientAddress = ({ endpoint, region, pathStyle }: S3Address): S3ClientConfig => ({
  region: region ?? 'us-east-1',
  forcePathStyle: pathStyle ?? endpoint !== undefined,
  followRegionRedirects: endpoint === undefined,
  ...(endpoint !== undefined && { endpoint }),
})

type Fault = Error & { name: string; $metadata: { httpStatusCode?: number } }
/** The S3 client adds `$metadata` to Plumbline's own errors too, but only Plumbline's errors have `retry`. */
export const isS3Fault = (error: unknown): error is Fault =>
  error instanceof Error && '$metadata' in error && !('retry' in error)

export const isNoSuchKey = (error: unknown): boolean =>
  isS3Fault(error) && (error.name === 'NoSuchKey' || error.name === 'NotFound')

/** Decodes a key. S3 encodes the keys in lists, because XML cannot contain every character. */
const keyOf = (key: string, encoding: string | undefined): string => {
  if (encoding !== 'url') return key
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return key
  }
}

type Under = { client: S3Client; bucket: string; prefix: string; signal: AbortSignal; endless(): Error }

/** Lists the objects with a prefix. Throws `endless()` if the server cuts off a list without a way to continue. */
export async function* objectsUnder({
  client,
  bucket,
  prefix,
  signal,
  endless,
}: Under): AsyncGenerator<{ key: string; object: StoredObject }> {
  const { ListObjectsV2Command } = await loadS3()
  let token: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token, EncodingType: 'url' }),
      { abortSignal: signal },
    )
    for (const object of page.Contents ?? []) {
      const key = keyOf(object.Key ?? '', page.EncodingType)
      if (key.startsWith(prefix)) yield { key, object }
    }
    if (page.IsTruncated && (!page.NextContinuationToken || page.NextContinuationToken === token)) throw endless()
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token !== undefined)
}
