import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { Orders } from '../handlers'
import { inspect } from '../inspect'
import { mostLinesASecond } from '@plumbline/testing/processes'
import { seconds, type Row } from '../row'
import { pause, until } from '../wait'
import { inWorld, type World } from '../world'

const changeEvery = 10

const totalCalls = async (world: World): Promise<number> =>
  Object.values(await world.calls()).reduce((sum, count) => sum + count, 0)

/** Asks a question every `everyMs`. Some requests change a collection instead, so that the audit log gets entries. */
export const askContinuously = (world: World, everyMs: number, orders: Orders = { ms: '10' }) => {
  const acknowledged = new Map<string, string>()
  const refused: Refused[] = []
  let open = true
  let sent = 0
  const one = async (n: number): Promise<void> => {
    const isChange = n % changeEvery === changeEvery - 1
    const { status, id, ms, retryAfter } = await (isChange ? world.change() : world.ask(orders, `key-${n}`))
    if (status !== 202 && status !== 200) refused.push({ status, ms, retryAfter })
    else if (!isChange) acknowledged.set(`key-${n}`, id)
  }
  const under: Promise<void>[] = []
  const loop = (async () => {
    while (open) {
      under.push(one(sent++))
      await pause(everyMs)
    }
    await Promise.all(under)
  })()
  const stop = async (): Promise<void> => {
    open = false
    await loop
  }
  return { acknowledged, refused, stop }
}

export const consumesAgain = async (world: World): Promise<number> => {
  const before = await totalCalls(world)
  return until('work goes on', async () => (await totalCalls(world)) > before, 60_000)
}

const killsOfRedis = (fsync: 'everysec' | 'always', kills: number) =>
  inWorld({ workers: 2, fsync }, async (world) => {
    const asks = askContinuously(world, 50)
    const backAfter: number[] = []
    for (let n = 0; n < kills; n++) {
      await pause(1_500)
      await world.redis.kill()
      await pause(500)
      await world.redis.start()
      backAfter.push(await consumesAgain(world))
    }
    await pause(500)
    await asks.stop()
    const ids = [...asks.acknowledged.values()]
    await world.ended(ids, 120_000)
    const { ended, wrong } = await inspect(world, ids)
    return { acknowledged: ids.length, ended, wrong, worst: Math.max(...backAfter) }
  })

export const R3: Row = {
  id: 'R3',
  promise:
    'Redis SIGKILL mid-run, everysec and always: all acknowledged runs end; consuming again ≤ 10 s after it is back',
  run: async (scale) => {
    const kills = scale === 'full' ? 3 : 1
    const everysec = await killsOfRedis('everysec', kills)
    const always = await killsOfRedis('always', kills)
    const both = [everysec, always]
    return {
      holds: both.every(
        ({ acknowledged, ended, wrong, worst }) => ended === acknowledged && wrong.length === 0 && worst <= 10_000,
      ),
      figures: {
        kills: 2 * kills,
        everysec: `${everysec.ended}/${everysec.acknowledged}`,
        always: `${always.ended}/${always.acknowledged}`,
        'back after': seconds(Math.max(everysec.worst, always.worst)),
        wrong: everysec.wrong.length + always.wrong.length,
      },
    }
  },
}

type Refused = { status: number; ms: number; retryAfter: string | null }
const isCleanRefusal = ({ status, ms, retryAfter }: Refused): boolean =>
  status === 503 && retryAfter !== null && ms <= 1_000
const slowest = (refused: Refused[]): number => Math.max(0, ...refused.map(({ ms }) => ms))

const away = (ms: number) =>
  inWorld({ workers: 2, keyed: true }, async (world) => {
    const asks = askContinuously(world, 50)
    await pause(1_000)
    await world.redis.kill()
    await pause(300)
    const from = asks.refused.length
    await until('the gateway says it is not ready', async () => !(await world.ready()), 3_000)
    await pause(ms - 600)
    const refused = asks.refused.slice(from)
    await world.redis.start()
    const resumed = await consumesAgain(world)
    await asks.stop()
    const ids = [...asks.acknowledged.values()]
    await world.ended(ids, 120_000)
    const { ended, wrong } = await inspect(world, ids)
    return {
      resumed,
      refused: refused.length,
      slowest: slowest(refused),
      clean: refused.every(isCleanRefusal),
      acknowledged: ids.length,
      ended,
      wrong,
    }
  })

export const R5: Row = {
  id: 'R5',
  promise: 'Redis away 15 s and 120 s: 503 with Retry-After within 1 s, not ready; work resumes ≤ 10 s / ≤ 25 s after',
  run: async (scale) => {
    const spans =
      scale === 'full'
        ? ([
            [15_000, 10_000],
            [120_000, 25_000],
          ] as const)
        : ([[8_000, 10_000]] as const)
    const figures: Record<string, string | number> = {}
    let holds = true
    for (const [span, bound] of spans) {
      const was = await away(span)
      holds &&=
        was.clean && was.refused > 0 && was.resumed <= bound && was.ended === was.acknowledged && was.wrong.length === 0
      figures[`away ${seconds(span)}`] =
        `${was.refused} × 503 in ≤ ${seconds(was.slowest)}, resumed ${seconds(was.resumed)}, ${was.ended}/${was.acknowledged} ended`
    }
    return { holds, figures }
  },
}

export const R12: Row = {
  id: 'R12',
  promise:
    'Redis at maxmemory: asks are answered 503 with Retry-After within 1 s, ≤ 10 log lines/s of each process, nothing accepted is lost, and work resumes',
  run: (scale) =>
    inWorld({ workers: 2, keyed: true }, async (world) => {
      const redis = new Redis(world.redis.url)
      const asks = askContinuously(world, 50)
      await pause(1_500)
      await redis.config('SET', 'maxmemory', '1mb')
      await pause(1_000)
      const [from, before, accepted] = [Date.now(), asks.refused.length, asks.acknowledged.size]
      await pause(scale === 'full' ? 20_000 : 5_000)
      const refused = asks.refused.slice(before)
      const passed = asks.acknowledged.size - accepted
      const lines = [world.gateway, ...world.crew.members].map((process) => mostLinesASecond(process, from, Date.now()))
      await redis.config('SET', 'maxmemory', '0')
      const resumed = await consumesAgain(world)
      await asks.stop()
      redis.disconnect()
      const ids = [...asks.acknowledged.values()]
      await world.ended(ids, 120_000)
      const { ended, wrong } = await inspect(world, ids)
      return {
        holds:
          refused.length > 0 &&
          refused.every(isCleanRefusal) &&
          passed === 0 &&
          Math.max(...lines) <= 10 &&
          resumed <= 10_000 &&
          ended === ids.length &&
          wrong.length === 0,
        figures: {
          refused: `${refused.length} × 503 in ≤ ${seconds(slowest(refused))}`,
          'accepted meanwhile': passed,
          'log lines a second': `${lines.join(', ')} at most`,
          resumed: seconds(resumed),
          ended: `${ended}/${ids.length}`,
          wrong: wrong.length,
        },
      }
    }),
}

const rollBack = async (world: World): Promise<void> => {
  const copy = await mkdtemp(join(tmpdir(), 'plumbline-aof-'))
  const aof = join(world.redis.dir, 'appendonlydir')
  await cp(aof, copy, { recursive: true })
  await pause(1_000)
  await world.redis.kill()
  await rm(aof, { recursive: true })
  await cp(copy, aof, { recursive: true })
  await rm(copy, { recursive: true })
  await world.redis.start()
}

export const R6: Row = {
  id: 'R6',
  promise:
    'AOF rolled back 1 s: every surviving run ends once with a gapless ledger; asking again with the same key makes one run',
  run: (scale) =>
    inWorld({ workers: 2, redisArgs: ['--aof-load-truncated', 'yes'] }, async (world) => {
      const asks = askContinuously(world, 40)
      const times = scale === 'full' ? 3 : 1
      for (let n = 0; n < times; n++) {
        await pause(2_000)
        await rollBack(world)
        await consumesAgain(world)
        await until('the gateway is ready', () => world.ready(), 30_000)
      }
      await asks.stop()
      const keys = [...asks.acknowledged.keys()]
      const again: string[] = []
      for (const key of keys) again.push(await world.askWell({ ms: '10' }, key))
      const same = keys.filter((key, i) => asks.acknowledged.get(key) === again[i]).length
      await world.ended(again, 120_000)
      const { ended, wrong } = await inspect(world, again)
      return {
        holds: ended === keys.length && same === keys.length && wrong.length === 0,
        figures: {
          rollbacks: times,
          ended: `${ended}/${keys.length}`,
          'same run by key': `${same}/${keys.length}`,
          wrong: wrong.length,
          example: wrong[0] ?? '–',
        },
      }
    }),
}
