import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHouse, type House } from './house.spec'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const jobOf = (id: string): string => `plumbline:{main}:router:${id}.route`

const ask = (n: number) =>
  house.client.ask({ question: 'How heavy is Mars?' }, n % 3 === 0 ? { idempotencyKey: `key-${n}` } : {})
/** Starts `lanes` parallel sequences, each of which asks `each` questions one after another. */
const askAll = async (lanes: number, each: number): Promise<{ id: string }[]> => {
  const lane = async (first: number): Promise<{ id: string }[]> => {
    const asked = []
    for (let n = 0; n < each; n += 1) asked.push(await ask(first * each + n))
    return asked
  }
  return (await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)))).flat()
}

it('a run is stored before its job is queued, with a key or without, however many arrive at once', async () => {
  const redis = new Redis(house.server.url)
  const monitor = await redis.monitor()
  const written: string[] = []
  monitor.on('monitor', (_: unknown, [command = '', key = '']: string[]) => {
    if (/^hm?set$/i.test(command)) written.push(key)
  })
  const asked = await askAll(20, 30)
  await expect.poll(() => asked.filter(({ id }) => written.includes(jobOf(id))).length).toBe(600)
  monitor.disconnect()
  redis.disconnect()
  expect(asked.filter(({ id }) => !written.slice(0, written.indexOf(jobOf(id))).includes(`run:{${id}}:state`))).toEqual(
    [],
  )
})
