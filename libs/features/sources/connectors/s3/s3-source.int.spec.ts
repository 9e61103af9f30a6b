import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { S3Settings } from '@plumbline/contracts'
import type { DocumentSource } from '@plumbline/ports/document-source'
import { documentSourceContract, itemsOf, listAll, textOf } from '@plumbline/ports/document-source.contract'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { allowedTargets } from '@plumbline/adapters/fetching/target'
import { openSource } from '../open-source'
import { serverCredentials, startS3Server } from '@plumbline/adapters/s3/spec/s3-server'

const Bucket = 'documents'

documentSourceContract('s3', async () => {
  const server = await startS3Server(Bucket)
  const put = async (path: string, Body: string): Promise<void> =>
    void (await server.client.send(
      new PutObjectCommand({ Bucket, Key: `team/${path}`, Body, ContentLength: Buffer.byteLength(Body) }),
    ))
  await server.client.send(new PutObjectCommand({ Bucket, Key: 'other/secret.md', Body: 'of another team' }))
  return {
    put,
    remove: async (path) => void (await server.client.send(new DeleteObjectCommand({ Bucket, Key: `team/${path}` }))),
    makeFolder: (path) => put(`${path}/`, ''),
    breaks: 'within a list',
    breakDown: async () =>
      server.answerInstead((_, response) => {
        response.writeHead(500, { 'content-type': 'application/xml' })
        response.end('<Error><Code>InternalError</Code><Message>down</Message></Error>')
        return true
      }),
    mend: async () => server.answerInstead(() => false),
    open: (limits = {}) =>
      openSource(
        { kind: 's3', bucket: Bucket, prefix: 'team', endpoint: server.url, credentials: 'spec' },
        { allowed: allowedTargets([server.host]), credentials: { spec: serverCredentials }, limits },
      ),
    close: server.close,
  }
})

describe('a bucket', () => {
  const never = new AbortController().signal
  let server: Awaited<ReturnType<typeof startS3Server>>
  beforeAll(async () => {
    server = await startS3Server(Bucket)
  })
  afterEach(() => server.answerInstead(() => false))
  afterAll(() => server.close())
  const open = (settings: Partial<S3Settings> = {}, credentials = true): Promise<DocumentSource> =>
    openSource(
      { kind: 's3', bucket: Bucket, endpoint: server.url, ...(credentials && { credentials: 'spec' }), ...settings },
      { allowed: allowedTargets([server.host]), credentials: { spec: serverCredentials } },
    )
  const answering = (xml: string, status = 200): void =>
    server.answerInstead((_, response) => {
      response.writeHead(status, { 'content-type': 'application/xml' }).end(xml)
      return true
    })
  const listOf = (contents: string, more = ''): string =>
    `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>${more}${contents}</ListBucketResult>`
  const object = (key: string, more = ''): string =>
    `<Contents><Key>${key}</Key><ETag>"1"</ETag><Size>1</Size>${more}</Contents>`

  it('whose keys leave the folder is reported and not followed', async () => {
    answering(
      listOf(
        [
          ...[
            '../../etc/passwd',
            'a/../../b',
            './c',
            '%2E%2E%5C%2E%2E%5Cwindows',
            'a%00b.md',
            'bell%07.md',
            'x%E2%80%AEtxt.md',
          ],
          ...['/lead//ing.md', 'dir/', '.git/config', '100%25+of%2Bit.md', 'n%C3%A4me.md', `${'x'.repeat(600)}`],
        ]
          .map((key) => object(key))
          .join(''),
      ),
    )
    const source = await open()
    const all = await listAll(source)
    expect(itemsOf(all).map(({ path, key }) => [path, key])).toEqual([
      ['100% of+it.md', undefined],
      ['ab.md', 'a\0b.md'],
      ['bell.md', 'bell\u0007.md'],
      ['lead/ing.md', '/lead//ing.md'],
      ['näme.md', undefined],
      ['xtxt.md', 'x\u202etxt.md'],
    ])
    expect(all.filter(({ kind }) => kind === 'skipped')).toHaveLength(5)
    server.asked.length = 0
    for (const key of ['../../etc/passwd', '..', './c'])
      expect(await source.read({ path: 'x', version: '1', key }, never)).toBeNull()
    expect(server.asked).toEqual([])
  })

  it('reads a file by its key in the bucket', async () => {
    await server.client.send(
      new PutObjectCommand({
        Bucket,
        Key: 'odd  \u202ename.md',
        Body: 'odd',
        ContentLength: 3,
        ContentType: 'text/markdown; charset=utf-8',
      }),
    )
    const source = await open()
    const item = itemsOf(await listAll(source)).find(({ path }) => path === 'odd name.md')!
    expect(await textOf(source, item)).toBe('odd')
    expect(await source.read(item, never)).toMatchObject({ mediaType: 'text/markdown' })
  })

  it('reports archived files as skipped', async () => {
    answering(listOf(object('old.md', '<StorageClass>GLACIER</StorageClass>') + object('new.md')))
    expect((await listAll(await open())).map(({ kind }) => kind)).toEqual(['skipped', 'item'])
  })

  it('is not listed if its list is truncated without a continuation', async () => {
    answering(listOf(object('a.md')).replace('false', 'true'))
    await expect(listAll(await open())).rejects.toMatchObject({ code: 'source.unreadable' })
    const more = '<NextContinuationToken>again</NextContinuationToken>'
    answering(listOf(object('a.md'), more).replace('false', 'true'))
    await expect(listAll(await open())).rejects.toMatchObject({ code: 'source.unreadable' })
    answering('<ListBucketResult><Contents><Key>a.md</Key>')
    await expect(listAll(await open())).rejects.toMatchObject({ code: expect.stringMatching(/^source\./) as string })
  })

  it.each([
    ['NoSuchBucket', 404, 'source.not-found', 'never'],
    ['AccessDenied', 403, 'source.no-access', 'never'],
    ['SignatureDoesNotMatch', 403, 'source.no-access', 'never'],
    ['PermanentRedirect', 301, 'source.not-found', 'never'],
    ['SomethingElse', 400, 'source.unreadable', 'never'],
  ])('says what is wrong: %s', async (name, status, code, retry) => {
    answering(`<Error><Code>${name}</Code><Message>no</Message></Error>`, status)
    await expect(listAll(await open())).rejects.toMatchObject({
      code,
      retry,
      words: expect.stringMatching(/^\S.*\.$/) as string,
    })
  })

  it('is read anonymously without credentials, even if this machine has credentials', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'of-the-machine')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'of-the-machine')
    server.asked.length = 0
    answering(listOf(object('a.md')))
    await listAll(await open({}, false))
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([undefined])
    await listAll(await open())
    expect(server.asked[1]!.headers.authorization).toContain('Credential=S3RVER/')
    vi.unstubAllEnvs()
  })
})
