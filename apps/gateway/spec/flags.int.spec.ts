import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, ProblemError } from '@plumbline/client'
import { openHouse, toAnswer, type House } from './house.spec'

let house: House
const apiKeys = [
  'asker-key:acme:asker',
  'reviewer-key:acme:reviewer',
  'admin-key:acme:admin+asker',
  'hr-key-long:acme:asker+reviewer:hr',
  'other-key:other:admin',
].join(',')
beforeAll(async () => {
  house = await openHouse({ apiKeys })
  await as('admin-key').putCollection('planets', { description: 'Facts about the planets.', owner: 'Planet team' })
})
afterAll(() => house.close())

const as = (key: string) => createClient({ url: house.url, key })
const flagged = async (key = 'asker-key', note?: string): Promise<string> => {
  const { id } = await as(key).ask({ question: 'How heavy is Mars?', collection: 'planets', filters: { year: '2024' } })
  await house.report(id, ...toAnswer())
  await as(key).feedback(id, { useful: false, ...(note !== undefined && { note }) })
  return id
}
const idsOf = async (key: string, status: 'open' | 'fixed' = 'open'): Promise<string[]> =>
  (await as(key).flags({ status, limit: 100 })).items.map(({ id }) => id)
const refused = async (promise: Promise<unknown>): Promise<number> => {
  const error = await promise.then(
    () => 'nothing',
    (error: unknown) => error,
  )
  if (!(error instanceof ProblemError)) throw new Error('not refused', { cause: error })
  return error.problem.status
}

describe('an answer of no use', () => {
  it('is a task for the owner of its collection', async () => {
    const id = await flagged('asker-key', 'The figure is from 2019.')
    expect((await as('reviewer-key').flags()).items[0]).toMatchObject({
      id,
      question: 'How heavy is Mars?',
      collections: ['planets'],
      owners: ['Planet team'],
      documents: [{ id: 'd-p1', title: 'Title p1' }],
      note: 'The figure is from 2019.',
      status: 'open',
    })
    expect((await as('reviewer-key').flags({ collection: 'moons' })).items).toEqual([])
  })

  it('is one task however often it is flagged, with the last note; a useful one is none', async () => {
    const id = await flagged()
    await as('asker-key').feedback(id, { useful: false, note: 'Still wrong.' })
    const items = (await as('reviewer-key').flags({ limit: 100 })).items.filter((flag) => flag.id === id)
    expect(items).toMatchObject([{ note: 'Still wrong.' }])
    const good = await as('asker-key').ask({ question: 'How heavy is Mars?', collection: 'planets' })
    await house.report(good.id, ...toAnswer())
    await as('asker-key').feedback(good.id, { useful: true })
    expect(await idsOf('reviewer-key')).not.toContain(good.id)
  })

  it('is asked again as a new run that names it, once', async () => {
    const id = await flagged()
    const fixed = await Promise.all(
      Array.from({ length: 5 }, () => as('reviewer-key').fixFlag(id, { note: 'Replaced.' })),
    )
    const runId = fixed[0]?.fix?.runId ?? ''
    expect(fixed.map(({ fix }) => fix?.runId)).toEqual(Array.from({ length: 5 }, () => runId))
    expect(fixed[0]).toMatchObject({ status: 'fixed', fix: { note: 'Replaced.', by: expect.stringContaining('key-') } })
    expect((await house.store.load(runId))?.run).toMatchObject({
      question: 'How heavy is Mars?',
      collections: ['planets'],
      filters: { year: '2024' },
      metadata: { fixes: id },
      policy: { name: 'standard' },
    })
    expect(await idsOf('reviewer-key')).not.toContain(id)
    expect(await idsOf('reviewer-key', 'fixed')).toContain(id)
    await as('asker-key').feedback(id, { useful: false })
    expect(await idsOf('reviewer-key', 'fixed')).toContain(id)
  })

  it('is asked again of the collections that its asker named', async () => {
    for (const name of ['moons', 'stars']) await as('admin-key').putCollection(name, { description: `About ${name}.` })
    const { id } = await as('asker-key').ask({ question: 'How heavy is Mars?', collection: ['planets', 'moons'] })
    const route = { outcome: 'research' as const, logic: 'So.', collections: ['planets', 'moons'] }
    await house.report(id, { taskId: 'route', kind: 'route', result: route }, ...toAnswer().slice(1))
    await as('asker-key').feedback(id, { useful: false })
    const { fix, ...flag } = await as('reviewer-key').fixFlag(id)
    expect((await house.store.load(fix?.runId ?? ''))?.run.collections.toSorted()).toEqual(['moons', 'planets'])
    expect(flag).not.toHaveProperty('named')
  })

  it('shows itself to those whose tags cover its run alone', async () => {
    const id = await flagged('hr-key-long')
    expect(await idsOf('reviewer-key')).not.toContain(id)
    expect(await refused(as('reviewer-key').fixFlag(id))).toBe(404)
    expect(await refused(as('other-key').fixFlag(id))).toBe(404)
    expect(await idsOf('other-key')).toEqual([])
    expect(await refused(as('asker-key').flags())).toBe(403)
    const { fix } = await as('hr-key-long').fixFlag(id)
    expect((await house.store.load(fix?.runId ?? ''))?.run.access).toEqual(['hr'])
  })

  it('leaves no key without an end', async () => {
    await flagged()
    for (const key of await house.redis.keys('flags:*')) expect(await house.redis.pttl(key)).toBeGreaterThan(0)
  })
})
