import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { decided } from '@plumbline/flow/spec/run-fixtures.spec'
import { onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

const keys = ['everyone-key:acme:asker', 'board-key-1:acme:asker+reviewer:board', 'other-key-1:other:asker'].join(',')
type Key = 'everyone-key' | 'board-key-1' | 'other-key-1'

let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse({ apiKeys: keys })
})
afterAll(() => house.close())

const as = (key: Key = 'everyone-key') => createClient({ url: house.url, key })
const ask = async (question: string, threadId: string, key?: Key): Promise<string> =>
  (await as(key).ask({ question, threadId, policy: 'once-only' })).id
const answered = async (question: string, threadId: string, key?: Key): Promise<string> => {
  const id = await ask(question, threadId, key)
  await house.report(id, ...toAnswer())
  return id
}
const listed = async (key?: Key) => (await as(key).threads({ limit: 100 })).items
const missing = { problem: { status: 404 } }

describe('threads', () => {
  it('are listed with the last one asked in first, in pages', async () => {
    await answered('How heavy is Mars?', 'page-1')
    await answered('How heavy is Venus?', 'page-2')
    const again = await answered('And then?', 'page-1')
    const first = await as().threads({ limit: 1 })
    expect(first.items).toMatchObject([{ id: 'page-1', title: 'How heavy is Mars?', runs: 2, lastStatus: 'answered' }])
    const second = await as().threads({ limit: 1, cursor: first.next ?? '' })
    expect(second.items).toMatchObject([{ id: 'page-2', title: 'How heavy is Venus?', runs: 1 }])
    expect((await as().run(again)).threadId).toBe('page-1')
    expect((await as().runs()).items[0]).toMatchObject({ id: again, threadId: 'page-1' })
  })

  it('show their runs, oldest first, and nothing of a held draft until it is released', async () => {
    const first = await answered('How heavy is Mars?', 'shown')
    const second = await ask('What is it made of?', 'shown')
    await house.report(second, ...toPark())
    const held = await as().thread('shown')
    expect(held.items.map(({ id, status }) => [id, status])).toEqual([
      [first, 'answered'],
      [second, 'parked'],
    ])
    expect(JSON.stringify(held)).not.toContain('cheese')
    expect(held.items[1]?.review?.place).toEqual({ at: 1, of: 1 })
    await house.report(second, decided(1, { outcome: 'approved' }))
    expect((await as().thread('shown')).items[1]?.answer?.text).toContain('cheese')
  })

  it('are of their tenant, and of each their reader has what their tags cover', async () => {
    await answered('What does the board think?', 'rights', 'board-key-1')
    await expect(as().thread('rights')).rejects.toMatchObject(missing)
    await expect(as().renameThread('rights', { title: 'Mine' })).rejects.toMatchObject(missing)
    await expect(as().removeThread('rights')).rejects.toMatchObject(missing)
    expect((await listed()).map(({ id }) => id)).not.toContain('rights')
    const open = await answered('And for everyone?', 'rights')
    await as('board-key-1').renameThread('rights', { title: 'The secret plan' })
    const seen = await as().thread('rights')
    expect(seen).toMatchObject({ title: 'And for everyone?', runs: 1, items: [{ id: open }] })
    expect(await as('board-key-1').thread('rights')).toMatchObject({ title: 'The secret plan', runs: 2 })
    await expect(as('other-key-1').thread('rights')).rejects.toMatchObject(missing)
    expect(await listed('other-key-1')).toEqual([])
  })

  it('can be named and removed; their runs remain, and the next question starts again', async () => {
    const id = await answered('How heavy is Mars?', 'named/1 é')
    await as().renameThread('named/1 é', { title: 'Planets' })
    expect(await as().thread('named/1 é')).toMatchObject({ id: 'named/1 é', title: 'Planets' })
    await as().removeThread('named/1 é')
    await expect(as().thread('named/1 é')).rejects.toMatchObject(missing)
    expect((await listed()).map(({ title }) => title)).not.toContain('Planets')
    expect((await as().run(id)).status).toBe('answered')
    const next = await ask('And then?', 'named/1 é')
    expect((await house.store.load(next))?.run.inThread).toBeUndefined()
    expect(await as().thread('named/1 é')).toMatchObject({ title: 'And then?', runs: 1 })
  })

  it('are gone with their last run, and every key of them ends by itself', async () => {
    const id = await answered('How heavy is Mars?', 'gone')
    await house.redis.unlink(`run:{${id}}:state`)
    await expect(as().thread('gone')).rejects.toMatchObject(missing)
    const all = (await house.redis.keys('thread*')).filter((key) => key.includes('{acme}'))
    expect(all.length).toBeGreaterThan(3)
    for (const key of all) expect([key, (await house.redis.pttl(key)) > 0]).toEqual([key, true])
  })
})

describe('the ledger of a run', () => {
  it('is read from a place on as its asker, and whole by the desk alone', async () => {
    const id = await ask('What is it made of?', 'ledger')
    await house.report(id, ...toPark())
    const held = await as().ledger(id)
    expect(held.ended).toBe(false)
    expect(held.items.map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(['asked', 'routed', 'planned', 'step-opened', 'researched', 'parked']),
    )
    expect(JSON.stringify(held)).not.toContain('cheese')
    await expect(as().ledger(id, { audience: 'desk' })).rejects.toMatchObject({ problem: { status: 403 } })
    const desk = await as('board-key-1').ledger(id, { audience: 'desk' })
    expect(JSON.stringify(desk)).toContain('cheese')
    await house.report(id, decided(1, { outcome: 'approved' }))
    const rest = await as().ledger(id, { after: held.items.at(-1)?.id ?? '' })
    expect(rest).toMatchObject({ ended: true, items: [{ event: { type: 'ended', status: 'answered' } }] })
    expect(await as().ledger(id, { after: rest.items.at(-1)?.id ?? '' })).toEqual({ items: [], ended: true })
    await expect(as().ledger(id, { after: 'nowhere' })).rejects.toMatchObject({ problem: { status: 400 } })
    await expect(as('other-key-1').ledger(id)).rejects.toMatchObject(missing)
  })
})
