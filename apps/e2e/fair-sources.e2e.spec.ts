import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient, type Client } from '@plumbline/client'
import type { DocumentView } from '@plumbline/contracts'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { openHouse, type House } from './house'

const many = 60
const few = 15
let house: House
let folder: string
let model: ModelServer
let [big, small]: Client[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-shares-'))
  model = await startModelServer({ validate: false })
  model.latency({ kind: 'fixed', ms: 40 })
  house = await openHouse({
    stages: [],
    env: {
      SOURCE_FOLDERS: folder,
      EMBEDDING_MODEL: 'text-embedding-3-small',
      EMBEDDING_BASE_URL: model.openaiUrl,
      EMBEDDING_API_KEY: 'a-key',
      EMBEDDING_DIMENSIONS: '64',
      API_KEYS: 'big-admin-key:big:admin+operator,small-admin-key:small:admin+operator',
    },
  })
  ;[big, small] = ['big-admin-key', 'small-admin-key'].map((key) => createClient({ url: house.url, key }))
})
afterAll(async () => {
  await house.close()
  await model.close()
  await rm(folder, { recursive: true })
})

const addSource = async (client: Client | undefined, name: string, files: number): Promise<void> => {
  const path = join(folder, name)
  await mkdir(path)
  for (let n = 0; n < files; n += 1) await writeFile(join(path, `${n}.md`), `File ${n} of ${name} tells of stone ${n}.`)
  await client?.putSource(name, { settings: { kind: 'folder', path } })
  await client?.runSource(name)
}

/** Returns the progress of a source's sync, such as `index 0 of 3` when all three documents are queued. */
const standing = async (client: Client | undefined, name: string): Promise<string | undefined> => {
  const view = await client?.source(name)
  return view?.running ? `${view.running.task} ${view.running.done} of ${view.running.of}` : view?.status
}
const reaches = (client: Client | undefined, name: string, state: string): Promise<void> =>
  expect.poll(() => standing(client, name), { timeout: 60_000 }).toBe(state)

const indexed = async (client: Client | undefined): Promise<DocumentView[]> => {
  const all: DocumentView[] = []
  for (let cursor: string | undefined; ;) {
    const page = await client?.documents({ status: 'indexed', limit: 100, ...(cursor !== undefined && { cursor }) })
    all.push(...(page?.items ?? []))
    if (!page?.next) return all
    cursor = page.next
  }
}

it('a tenant with a large source and more of them in line keeps neither a source nor an upload of another waiting', async () => {
  await big?.pauseStage('ingest')
  await addSource(big, 'archive', many)
  await reaches(big, 'archive', `index 0 of ${many}`)
  for (const name of ['second', 'third']) await addSource(big, name, 1)
  await expect
    .poll(async () => (await big?.sources())?.items.map(({ status }) => status).sort(), { timeout: 60_000 })
    .toEqual(['running', 'running', 'waiting'])

  await addSource(small, 'notes', few)
  await reaches(small, 'notes', `index 0 of ${few}`)
  await small?.addDocument({ title: 'Upload', text: 'The upload tells of one more stone.' })

  await big?.resumeStage('ingest')
  await reaches(small, 'notes', 'idle')
  await expect.poll(async () => (await indexed(small)).length, { timeout: 60_000 }).toBe(few + 1)
  const last =
    (await indexed(small))
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1) ?? ''
  const before = (await indexed(big)).filter(({ updatedAt }) => updatedAt < last)
  // The two tenants take turns. Without turns, all documents of the large source would be indexed first.
  expect(before.length).toBeLessThanOrEqual(few * 2.5)
  for (const name of ['archive', 'second', 'third']) await reaches(big, name, 'idle')
  expect((await indexed(big)).length).toBe(many + 2)
}, 120_000)
