import { once } from 'node:events'
import { connect } from 'node:net'
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
  // A plain socket, because ioredis fails if a command is reported before its monitor is ready.
  const monitor = connect(house.server.port, '127.0.0.1')
  let told = ''
  monitor.setEncoding('latin1').on('data', (text: string) => void (told += text))
  monitor.write('MONITOR\r\n')
  await once(monitor, 'data')
  const asked = await askAll(20, 30)
  const keysWritten = (): string[] => [...told.matchAll(/\] "hm?set" "([^"]*)"/gi)].map(([, key = '']) => key)
  await expect.poll(() => new Set(keysWritten().filter((key) => key.endsWith('.route'))).size).toBe(600)
  monitor.destroy()
  const written = keysWritten()
  expect(asked.filter(({ id }) => !written.slice(0, written.indexOf(jobOf(id))).includes(`run:{${id}}:state`))).toEqual(
    [],
  )
})
