import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHouse, type House } from './house.spec'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const jobOf = (id: string): string => `plumbline:{main}:router:${id}.route`

it('a run is stored before its job stands in a queue, however many come at once', async () => {
  const redis = new Redis(house.server.url)
  const monitor = await redis.monitor()
  const written: string[] = []
  monitor.on('monitor', (_: unknown, [command = '', key = '']: string[]) => {
    if (/^hm?set$/i.test(command)) written.push(key)
  })
  const asked = await Promise.all(
    Array.from({ length: 600 }, (_, n) => house.client.ask({ question: 'How heavy is Mars?' }, n % 3 === 0 ? { idempotencyKey: `key-${n}` } : {})),
  )
  await expect.poll(() => asked.filter(({ id }) => written.includes(jobOf(id))).length).toBe(600)
  monitor.disconnect()
  redis.disconnect()
  expect(asked.filter(({ id }) => !written.slice(0, written.indexOf(jobOf(id))).includes(`run:{${id}}:state`))).toEqual([])
})
