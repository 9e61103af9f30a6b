import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { S3Client } from '@aws-sdk/client-s3'
import { onLoopback } from '@plumbline/testing/loopback'
// @ts-expect-error the package has no types
import S3rver from 's3rver'

export const serverCredentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

const perPage = 2

/** Encodes a key as S3 does in a list if the request contains `encoding-type=url`. */
const encodedKey = (key: string): string => {
  const plain = key.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  return encodeURIComponent(plain).replaceAll('%2F', '/').replaceAll('%20', '+')
}

/**
 * Replaces the paging of the S3 server, which fails on this Node version. The continuation token is the last key of a
 * page, as in S3.
 */
const cutPage = (xml: string, token: string | null): string => {
  const contents = (xml.match(/<Contents>.*?<\/Contents>/gs) ?? []).map((one) => {
    const key = /<Key>(.*?)<\/Key>/s.exec(one)?.[1] ?? ''
    return { key, text: one.replace(/<Key>.*?<\/Key>/s, () => `<Key>${encodedKey(key)}</Key>`) }
  })
  const after = token === null ? '' : Buffer.from(token, 'base64url').toString()
  const from = contents.filter(({ key }) => key <= after).length
  const listed = contents.slice(from, from + perPage)
  const page = listed.map(({ text }) => text)
  const last = listed.at(-1)
  const goesOn = from + perPage < contents.length
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><IsTruncated>${goesOn}</IsTruncated>${goesOn && last ? `<NextContinuationToken>${Buffer.from(last.key).toString('base64url')}</NextContinuationToken>` : ''}${page.join('')}</ListBucketResult>`
}

const pass = (behind: string, request: IncomingMessage, response: ServerResponse): void => {
  const url = new URL(request.url ?? '/', behind)
  const isList = url.searchParams.has('list-type')
  const token = url.searchParams.get('continuation-token')
  url.searchParams.delete('continuation-token')
  const passed = ask(url, { method: request.method, headers: request.headers }, (answer) => {
    if (!isList || answer.statusCode !== 200) {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      return void answer.pipe(response)
    }
    text(answer).then(
      (xml) => response.writeHead(200, { 'content-type': 'application/xml' }).end(cutPage(xml, token)),
      () => response.destroy(),
    )
  })
  request.pipe(passed)
}

/** Starts an S3 server behind a proxy. The proxy returns lists in pages of two objects. */
export const startS3Server = async (bucket: string) => {
  const directory = await mkdtemp(join(tmpdir(), 's3-server-'))
  const s3 = new S3rver({
    directory,
    silent: true,
    // The proxy removes the token from the request, so the signature of the request no longer matches.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  await s3.configureBuckets()
  const behind = await onLoopback(createServer(s3.callback()))
  const asked: { method: string; path: string; headers: IncomingMessage['headers'] }[] = []
  let instead: (request: IncomingMessage, response: ServerResponse) => boolean = () => false
  const front = await onLoopback(
    createServer((request, response) => {
      asked.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers })
      if (!instead(request, response)) pass(behind.url, request, response)
    }),
  )
  const client = new S3Client({
    endpoint: behind.url,
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: serverCredentials,
  })
  return {
    url: front.url,
    host: new URL(front.url).host,
    direct: behind.url,
    client,
    asked,
    answerInstead: (how: typeof instead) => void (instead = how),
    close: async () => {
      client.destroy()
      await front.close()
      await behind.close()
      await rm(directory, { recursive: true })
    },
  }
}
