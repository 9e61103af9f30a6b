import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRepository, startGitServer } from '@plumbline/features/sources/connectors/spec/git-server'
import { startS3Server } from '@plumbline/adapters/s3/spec/s3-server'
import type { SourceView } from '@plumbline/contracts'
import { createLog } from '@plumbline/platform'
import { openHouse, type House } from './house'
import { kinds } from './redis-kinds'

const token = 'token-Quillvardby'
const secretAccessKey = 'secret-Quillvardby'
const login = Buffer.from(`robot:${token}`).toString('base64')
/** Texts that must not appear in any output. The last one is the beginning of an S3 signature. */
const secrets = [token, secretAccessKey, login, 'AWS4-HMAC-SHA256']

/** All output that somebody may read: log lines, Redis writes, responses. */
const said: string[] = []
const log = createLog({ app: 'house', level: 'debug', destination: { write: (line) => void said.push(line) } })

let folder: string
let house: House
let redis: Redis
let git: Awaited<ReturnType<typeof startGitServer>>
let s3: Awaited<ReturnType<typeof startS3Server>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-credentials-'))
  ;[git, s3] = await Promise.all([startGitServer(), startS3Server('papers')])
  const repository = await createRepository(git.root, 'docs')
  await repository.put('harbour.md', 'The harbour of Lindale has four cranes.')
  const Body = 'The quay of Lindale is 310 metres long.'
  await s3.client.send(new PutObjectCommand({ Bucket: 'papers', Key: 'quay.md', Body, ContentLength: Body.length }))
  const file = join(folder, 'credentials.json')
  const wiki = { url: git.url, token, username: 'robot' }
  await writeFile(file, JSON.stringify({ default: { wiki, papers: { accessKeyId: 'S3RVER', secretAccessKey } } }))
  const kind = await kinds.plain()
  redis = await new Redis(kind.url).monitor()
  redis.on('monitor', (_time: string, words: string[]) => void said.push(words.join(' ')))
  house = await openHouse({
    redis: kind,
    log,
    env: { SOURCE_CREDENTIALS_FILE: file, ALLOW_PRIVATE_ADDRESSES: `${git.host},${s3.host}`, LOG_LEVEL: 'debug' },
  })
})
afterAll(async () => {
  redis.disconnect()
  await house.close()
  await Promise.all([git.close(), s3.close(), rm(folder, { recursive: true })])
})

const run = async (name: string): Promise<SourceView> => {
  const before = (await house.client.source(name)).last?.endedAt
  await house.client.runSource(name)
  let view: SourceView | undefined
  await expect
    .poll(
      async () => {
        view = await house.client.source(name)
        return view.status === 'idle' && view.last !== undefined && view.last.endedAt !== before
      },
      { timeout: 20_000 },
    )
    .toBe(true)
  said.push(JSON.stringify(view))
  return view as SourceView
}

it('credentials of the file open a repository and a bucket, and never appear, whatever the servers return', async () => {
  const { client, url } = house
  git.answerInstead((request, response) => {
    if (request.headers.authorization === `Basic ${login}`) return false
    response.writeHead(401, { 'www-authenticate': 'Basic' }).end()
    return true
  })
  const repository = { kind: 'git', url: `${git.url}/docs/.git` } as const
  const bucket = { kind: 's3', bucket: 'papers', endpoint: s3.url } as const
  await client.putSource('open', { settings: repository })
  await client.putSource('wiki', { settings: { ...repository, credentials: 'wiki' } })
  await client.putSource('papers', { settings: { ...bucket, credentials: 'papers' } })
  expect((await run('open')).last?.problem).toContain('choose credentials that may read it')
  expect((await run('wiki')).last).toMatchObject({ counts: { added: 1, failed: 0 } })
  expect((await run('papers')).last).toMatchObject({ counts: { added: 1, failed: 0 } })
  expect(s3.asked.at(-1)?.headers.authorization).toContain('Credential=S3RVER/')

  // The servers return errors that repeat the credentials of the request.
  git.answerInstead(({ headers }, response) => {
    response.writeHead(403, `no ${headers.authorization}`).end(`Forbidden: ${headers.authorization} ${token}`)
    return true
  })
  expect((await run('wiki')).last?.problem).toContain('choose credentials that may read it')
  git.answerInstead(({ headers }, response) => {
    response.writeHead(302, { location: `http://${token}.example/?${headers.authorization}` }).end()
    return true
  })
  expect((await run('wiki')).last?.problem).toBeDefined()
  s3.answerInstead(({ headers }, response) => {
    response.writeHead(403, { 'content-type': 'application/xml' })
    response.end(`<Error><Code>SignatureDoesNotMatch</Code><Message>Not ${headers.authorization}</Message></Error>`)
    return true
  })
  expect((await run('papers')).last?.problem).toContain('rejects these credentials')

  for (const path of ['sources', 'documents', 'collections', 'audit'])
    said.push(await (await fetch(`${url}/v1/${path}`)).text())
  const asked = await client.ask({ question: 'How many cranes does the harbour of Lindale have?' })
  for await (const event of client.events(asked.id)) if (event.type === 'ended') break
  said.push(JSON.stringify(await client.run(asked.id)), await (await fetch(`${url}/metrics`)).text())
  expect(said.filter((text) => text.includes('four cranes')).length).toBeGreaterThan(0)
  expect(said.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([])
}, 90_000)

it('an address with a name and a password in it is not kept', async () => {
  const url = `${git.url.replace('://', `://robot:${token}@`)}/docs/.git`
  await expect(house.client.putSource('other', { settings: { kind: 'git', url } })).rejects.toMatchObject({
    problem: { status: 400, detail: expect.stringContaining('without a user name and password') as string },
  })
  expect(said.filter((text) => text.includes(token))).toEqual([])
})
