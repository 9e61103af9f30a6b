import { startSentinel } from '@plumbline/testing/redis/sentinel'
import { openBreakingProxy } from '../breaking-proxy'
import { inspect } from '../inspect'
import { seconds, type Row } from '../row'
import { pause, until } from '../wait'
import { inWorld } from '../world'
import { askContinuously, consumesAgain } from './lost-redis'

const blackholeMs = 5_000

export const R7: Row = {
  id: 'R7',
  promise: 'the connections of a worker to Redis cut, or 5 s silent, 100 times: no run lost, none doubled',
  run: async (scale) => {
    const proxy = await openBreakingProxy()
    const [cuts, silences] = scale === 'full' ? [60, 40] : [6, 1]
    try {
      return await inWorld(
        { workers: 2, redisFor: (name, url) => (name === 'worker-0' ? proxy.to(url) : url) },
        async (world) => {
          const asks = askContinuously(world, 50)
          for (let n = 0; n < cuts; n += 1) {
            await pause(300)
            proxy.cut()
          }
          for (let n = 0; n < silences; n += 1) {
            const open = proxy.blackhole()
            await pause(blackholeMs)
            open()
            await pause(500)
          }
          await asks.stop()
          const ids = [...asks.acknowledged.values()]
          await world.ended(ids, 120_000)
          const { ended, wrong } = await inspect(world, ids)
          return {
            holds: ended === ids.length && wrong.length === 0 && asks.refused.length === 0,
            figures: { cuts, silences, ended: `${ended}/${ids.length}`, wrong: wrong.length, example: wrong[0] ?? '–' },
          }
        },
      )
    } finally {
      proxy.close()
    }
  },
}

export const R21: Row = {
  id: 'R21',
  promise: 'the master that sentinels watch killed amid 500 runs: every acknowledged run ends once',
  run: async (scale) => {
    const sentinel = await startSentinel()
    const count = scale === 'full' ? 500 : 150
    try {
      return await inWorld({ workers: 2, redisUrl: sentinel.url }, async (world) => {
        const asks = askContinuously(world, 10, { ms: '150' })
        await until('a third is asked', () => asks.acknowledged.size > count / 3, 60_000)
        const killedAt = performance.now()
        await sentinel.killMaster()
        await consumesAgain(world)
        const awayMs = performance.now() - killedAt
        await until('all are asked', () => asks.acknowledged.size >= count, 120_000)
        await asks.stop()
        const ids = [...asks.acknowledged.values()]
        await world.ended(ids, 120_000)
        const { ended, wrong } = await inspect(world, ids)
        return {
          holds: ended === ids.length && wrong.length === 0,
          figures: {
            ended: `${ended}/${ids.length}`,
            'refused meanwhile': asks.refused.length,
            'back after': seconds(awayMs),
            wrong: wrong.length,
            example: wrong[0] ?? '–',
          },
        }
      })
    } finally {
      await sentinel.stop()
    }
  },
}
