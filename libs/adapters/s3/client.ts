import type { S3Client, S3ClientConfig, _Object as StoredObject } from '@aws-sdk/client-s3'

/** Loaded when the first bucket is opened: it is large, and most systems have none. */
export const loadS3 = () => import('@aws-sdk/client-s3')

export type S3Address = {
  endpoint?: string | undefined
  region?: string | undefined
  pathStyle?: boolean | undefined
}

/** Servers other than Amazon's have buckets in their path, unless said otherwise. */
export const clientAddress = ({ endpoint, region, pathStyle }: S3Address): S3ClientConfig => ({
  region: region ?? 'us-east-1',
  forcePathStyle: pathStyle ?? endpoint !== undefined,
  followRegionRedirects: endpoint === undefined,
  ...(endpoint !== undefined && { endpoint }),
})

type Fault = Error & { name: string; $metadata: { httpStatusCode?: number } }
/** What a server said; the client marks our own errors as well. */
export const isS3Fault = (error: unknown): error is Fault =>
  error instanceof Error && '$metadata' in error && !('retry' in error)

export const isNoSuchKey = (error: unknown): boolean =>
  isS3Fault(error) && (error.name === 'NoSuchKey' || error.name === 'NotFound')

/** Keys of an answer that says so are encoded as in an address: XML cannot hold every character that a key may have. */
const keyOf = (key: string, encoding: string | undefined): string => {
  if (encoding !== 'url') return key
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return key
  }
}

type Under = { client: S3Client; bucket: string; prefix: string; signal: AbortSignal; endless(): Error }

/** All objects whose key begins so, in the order of their keys. `endless`: where the list goes on and does not say where. */
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
