import { afterAll, beforeAll, expect, it } from 'vitest'
import { readFeatures } from '@plumbline/features/all'
import { openSourceRuns } from '@plumbline/features/sources/store/source-runs'
import { createClient, type Client } from '@plumbline/client'
import { openHouse, type House } from './house.spec'

let house: House
let [admin, other, asker]: Client[] = []
const folder = { kind: 'folder', path: '/data/docs/handbook' } as const
beforeAll(async () => {
  house = await openHouse({
    apiKeys: 'admin-key-1:acme:admin,admin-key-2:other:admin,asker-key-1:acme:asker',
    features: readFeatures({ SOURCE_FOLDERS: 'acme=/data/docs' }).features,
  })
  ;[admin, other, asker] = ['admin-key-1', 'admin-key-2', 'asker-key-1'].map((key) =>
    createClient({ url: house.url, key }),
  )
})
afterAll(() => house.close())

const refused = (status: number, detail: string | RegExp) =>
  ({
    problem: {
      status,
      detail: typeof detail === 'string' ? expect.stringContaining(detail) : expect.stringMatching(detail),
    },
  }) as object

it('is kept, shown to admins of its tenant alone, and says what is wrong with its settings', async () => {
  const told = { settings: folder, collection: 'hr', access: [{ paths: 'pay/**', access: ['pay'] }] }
  expect(await admin?.putSource('handbook', told)).toMatchObject({
    name: 'handbook',
    ...told,
    schedule: { by: 'button' },
    status: 'idle',
    documents: 0,
  })
  expect((await admin?.sources())?.items).toHaveLength(1)
  expect((await other?.sources())?.items).toEqual([])
  for (const call of [
    () => other?.source('handbook'),
    () => other?.runSource('handbook'),
    () => other?.removeSource('handbook', 'keep'),
  ])
    await expect(call()).rejects.toMatchObject(refused(404, 'no such source'))
  await expect(asker?.sources()).rejects.toMatchObject(refused(403, 'role admin'))
  const wrong: [object, string][] = [
    [{ settings: { ...folder, path: '/data/docs/../../etc' } }, 'the operator does not allow this folder'],
    [{ settings: { kind: 's3', bucket: 'papers', credentials: 'none' } }, 'no credentials called none'],
    [{ settings: { ...folder, password: 'x' } }, 'password'],
    [{ settings: { kind: 'git', url: 'https://robot:token@example.org/docs' } }, 'without a user name and password'],
    [{ settings: { kind: 's3', bucket: 'papers', endpoint: 'https://id:key@example.org' } }, 'without a user name and'],
    [{ settings: folder, schedule: { by: 'cron', cron: '61 3 * * *' } }, 'write minute, hour'],
    [{ settings: folder, schedule: { by: 'cron', cron: '0 0 30 2 *' } }, 'write minute, hour'],
    [{ settings: folder, schedule: { by: 'interval', minutes: 0 } }, 'use at least one minute'],
    [{ settings: folder, access: [{ paths: '/pay/**', access: [] }] }, 'write paths without a slash'],
  ]
  for (const [body, detail] of wrong)
    await expect(admin?.putSource('other', body as { settings: typeof folder })).rejects.toMatchObject(
      refused(400, detail),
    )
  await expect(other?.putSource('handbook', { settings: folder })).rejects.toMatchObject(refused(400, 'SOURCE_FOLDERS'))
})

it('waits for its run once it is asked for, and says when it is due', async () => {
  await admin?.putSource('often', { settings: folder, schedule: { by: 'interval', minutes: 5 } })
  expect(Date.parse((await admin?.source('often'))?.nextRunAt ?? '')).toBeLessThanOrEqual(Date.now())
  await admin?.putSource('nightly', { settings: folder, schedule: { by: 'cron', cron: '0 3 * * *' } })
  expect((await admin?.source('nightly'))?.nextRunAt).toMatch(/T03:00:00\.000Z$/)
  const answer = await fetch(`${house.url}/v1/sources/nightly/run`, {
    method: 'POST',
    headers: { authorization: 'Bearer admin-key-1' },
  })
  expect([answer.status, ((await answer.json()) as { status: string }).status]).toEqual([202, 'waiting'])
})

it('owns its collection, and is removed only with a choice for its documents', async () => {
  await admin?.addDocument({ title: 'A', text: 'A text.', collection: 'hr' })
  await expect(admin?.removeCollection('hr')).rejects.toMatchObject(refused(409, 'into this collection: handbook'))
  const answer = await fetch(`${house.url}/v1/sources/handbook`, {
    method: 'DELETE',
    headers: { authorization: 'Bearer admin-key-1' },
  })
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining('documents=keep'),
  ])
  await admin?.removeSource('handbook', 'keep')
  expect(await admin?.source('handbook')).toMatchObject({ status: 'removing' })
  await expect(admin?.runSource('handbook')).rejects.toMatchObject(refused(409, 'is being removed'))
  await expect(admin?.putSource('handbook', { settings: folder })).rejects.toMatchObject(refused(409, 'being removed'))
  const runs = openSourceRuns(house.redis)
  const begun = await runs.begin({ tenant: 'acme', name: 'handbook' })
  if (begun.kind !== 'open') throw new Error(begun.kind)
  expect(await runs.begin({ tenant: 'acme', name: 'handbook' })).toEqual({ kind: 'taken' })
  expect(await runs.forgetSource({ ...begun.open, token: 'another' })).toBe(false)
  expect(await runs.forgetSource(begun.open)).toBe(true)
  await expect(admin?.source('handbook')).rejects.toMatchObject(refused(404, 'no such source'))
})
