import { join } from 'node:path'
import { inspect } from '../inspect'
import { buildPrevious } from '../previous-build'
import { percent, seconds, type Row } from '../row'
import { pause, until } from '../wait'
import { inWorld, type World } from '../world'
import { askAll } from './crashes'

const askEveryMs = 250
const thisBuild = join(import.meta.dirname, '..')

/** Replaces every worker by one of the build that is started now, one at a time, as a deployment does; their exit codes. */
const rollWorkers = async (world: World): Promise<(number | null)[]> => {
  const codes: (number | null)[] = []
  for (const slot of world.crew.members.keys()) {
    const member = world.crew.members[slot]
    if (!member) continue
    codes.push((await member.kill('SIGTERM')).code)
    await until(
      'its successor consumes',
      () => {
        const next = world.crew.members[slot]
        return next !== member && next?.output.some((line) => line.includes('consuming')) === true
      },
      60_000,
    )
  }
  return codes
}

/** A newer gateway may accept what only newer workers know: it comes last and goes first. */
const rollBothWays = async (world: World, previous: string): Promise<(number | null)[]> => {
  world.startFrom(thisBuild)
  const there = [...(await rollWorkers(world)), await world.replaceGateway()]
  world.startFrom(previous)
  return [...there, await world.replaceGateway(), ...(await rollWorkers(world))]
}

export const R20: Row = {
  id: 'R20',
  promise: 'from one version to the next and back, process by process amid 1,000 runs: 0 lost, 0 failed, nothing twice',
  run: async (scale) => {
    const previous = await buildPrevious()
    try {
      return await inWorld({ workers: scale === 'full' ? 3 : 2, build: previous.dist }, async (world) => {
        const count = scale === 'full' ? 1_000 : 200
        const from = performance.now()
        let rolling = true
        const ids: string[] = []
        const orders = Array.from({ length: 10 }, () => ({ ms: '30' }))
        const asking = async (): Promise<void> => {
          while (rolling || ids.length < count) {
            ids.push(...(await askAll(world, orders, 5)))
            await pause(askEveryMs)
          }
        }
        const rolled = rollBothWays(world, previous.dist).finally(() => (rolling = false))
        const [codes] = await Promise.all([rolled, asking()])
        const took = performance.now() - from
        await world.ended(ids, 120_000)
        const { ended, wrong, answered, extraShare } = await inspect(world, ids)
        return {
          holds: answered === ids.length && wrong.length === 0 && extraShare === 0 && codes.every((code) => code === 0),
          figures: {
            versions: `${previous.name} and this one`,
            runs: ids.length,
            ended,
            answered,
            wrong: wrong.length,
            'tasks twice': percent(extraShare),
            'exit codes': codes.join(','),
            'both ways': seconds(took),
          },
        }
      })
    } finally {
      await previous.remove()
    }
  },
}
