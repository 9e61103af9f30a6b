import type { S3Client, S3ClientConfig, _Object as StoredObject } from '@aws-sdk/client-s3'

/** Loaded when the first bucket is opened, because it is large and most systems have none. */
export const loadS3 = () => import('@aws-sdk/client-s3')

export type S3Address = {
  endpoint?: string | undefined
  region?: string | undefined
  pathStyle?: boolean | undefined
}

/** Servers other than Amazon's have buckets in their path, unless set otherwise. */
export const clientAddress = ({ endpoint, region, pathStyle }: S3Address): S3ClientConfig => ({
  region: region ?? 'us-east-1',
  forcePathStyle: pathStyle ?? endpoint !== undefined,
  followRegionRedirects: endpoint === undefined,
  ...(endpoint !== undefined && { endpoint }),
})

type Fault = Error & { name: string; $metadata: { httpStatusCode?: number } }
/** Returns whether an error came from the server. The client marks our own errors too. */
export const isS3Fault = (error: unknown): error is Fault =>
  error instanceof Error && '$metadata' in error && !('retry' in error)

export const isNoSuchKey = (error: unknown): boolean =>
  isS3Fault(error) && (error.name === 'NoSuchKey' || error.name === 'NotFound')

/** Decodes keys if the response says so, because XML cannot contain every character of a key. */
const keyOf = (key: string, encoding: string | undefined): string => {
  if (encoding !== 'url') return key
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return key
  }
}

type Under = { client: S3Client; bucket: string; prefix: string; signal: AbortSignal; endless(): Error }

/** Yields all objects with a key prefix, in key order. `endless`: thrown if a truncated list has no continuation. */
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
