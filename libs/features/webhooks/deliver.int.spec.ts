import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { insideAddresses, startListener } from '@plumbline/adapters/fetching/spec/attacks'
import { openDeliveries, type NewDelivery } from './store/deliveries'
import { openWebhooks } from './store/webhooks'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { announceDue } from './announce'
import { hook, ids, openParts, openRun, openWorld, receiver, redis, tenant, toPark } from './spec/world'

openWorld()

describe('a delivery', () => {
  const parkedDelivery = async (): Promise<string> => {
    await (
      await openRun()
    )(...toPark)
    await announceDue(openParts().ports)
    return (await ids())[0] ?? ''
  }
  const view = async () => (await openDeliveries(redis).list(tenant, { cursor: null, limit: 1 })).items[0]

  it('is retried with growing pauses, with the same id and body, until the receiver accepts it', async () => {
    await hook()
    const id = await parkedDelivery()
    receiver.answers.push(500, 302, 429)
    const { deliver } = openParts()
    const pauses: unknown[] = []
    for (let tries = 0; tries < 3; tries += 1) pauses.push(await deliver(id))
    expect(pauses).toEqual([5_000, 20_000, 80_000].map((inMs) => ({ kind: 'later', inMs })))
    expect(await view()).toMatchObject({
      status: 'waiting',
      tries: 3,
      answered: 429,
      problem: expect.stringContaining('429'),
    })
    expect(await deliver(id)).toEqual({ kind: 'done' })
    expect(await view()).toMatchObject({ status: 'delivered', tries: 4, answered: 204 })
    expect((await view())?.problem).toBeUndefined()
    expect(new Set(receiver.received.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size).toBe(
      1,
    )
    await deliver(id)
    expect(receiver.received).toHaveLength(4)
  })

  it('fails for good after a day, stays listed, and is sent again on request', async () => {
    await hook()
    const id = await parkedDelivery()
    await redis.hset(keys.delivery(id), 'since', Date.now() - 24 * 3_600_000, 'tries', 8)
    receiver.answers.push(500)
    const { deliver, deliveries } = openParts()
    expect(await deliver(id)).toEqual({ kind: 'done' })
    expect(await deliveries.list(tenant, { cursor: null, limit: 5, status: 'failed' })).toMatchObject({
      items: [{ id, tries: 9 }],
    })
    expect(await deliveries.reopen('another', id)).toBeNull()
    expect(await deliveries.reopen(tenant, id)).toMatchObject({ status: 'waiting', tries: 0 })
    await deliver(id)
    expect(await view()).toMatchObject({ status: 'delivered' })
  })

  it('is signed with both secrets while the secret is being replaced', async () => {
    const { secret } = await hook()
    const changed = await openWebhooks(redis).rotate(tenant, 'desk')
    await openParts().deliver(await parkedDelivery())
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received
    for (const each of [secret, changed?.secret ?? ''])
      expect(new Verifier(each).verify(body, headers as Record<string, string>)).toBeTruthy()
    expect(changed?.secret).not.toBe(secret)
  })

  it('is not sent if its webhook was removed, even if a new webhook has the same name', async () => {
    await hook()
    const id = await parkedDelivery()
    await openWebhooks(redis).remove(tenant, 'desk')
    await hook()
    await openParts().deliver(id)
    expect(receiver.received).toEqual([])
    expect(await view()).toMatchObject({ status: 'failed', problem: 'The webhook was removed.' })
  })

  it('never reaches a private address, however the address is written', async () => {
    const listener = await startListener()
    const resolve = () => Promise.resolve([{ address: '93.184.215.14', family: 4 }])
    const { deliver, deliveries, ports } = openParts({ resolve })
    const at = Date.now()
    const addresses = insideAddresses(listener.port)
    const told: string[] = []
    for (const [n, url] of addresses.entries()) {
      await openWebhooks(redis).put(tenant, `hook-${n % 10}`, { url, events: ['run.parked'] })
      const webhookId = (await ports.webhooks.all(tenant)).find(({ name }) => name === `hook-${n % 10}`)?.id ?? ''
      const delivery: NewDelivery = {
        id: `r.${n}`,
        tenant,
        webhookId,
        webhook: 'x',
        event: 'run.parked',
        at: at + n,
        body: '{}',
      }
      await deliveries.create(delivery)
      await deliver(delivery.id)
    }
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page = await deliveries.list(tenant, { cursor, limit: 100 })
      told.push(...page.items.map(({ status, tries }) => `${status} ${tries}`))
      cursor = page.next
    }
    await listener.close()
    expect(addresses.length).toBeGreaterThanOrEqual(60)
    expect(told).toEqual(addresses.map(() => 'failed 1'))
    expect(listener.connections()).toBe(0)
  })
})
