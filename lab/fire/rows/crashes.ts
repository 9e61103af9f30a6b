import { inspect } from '../inspect'
import { percent, seconds, type Row } from '../row'
import { until, pause } from '../wait'
import { inWorld, type World } from '../world'
import type { Orders } from '../handlers'

const spread = (count: number, make: (n: number) => Orders): Orders[] =>
  Array.from({ length: count }, (_, n) => make(n))

export const askAll = async (world: World, orders: Orders[], atOnce = 20): Promise<string[]> => {
  const ids: string[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < orders.length) ids.push(await world.askWell(orders[next++]))
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return ids
}

const killers = async (world: World, kills: number, everyMs: [number, number]): Promise<void> => {
  for (let done = 0; done < kills;) {
    await pause(everyMs[0] + Math.random() * (everyMs[1] - everyMs[0]))
    const alive = world.crew.members.filter(
      (member) => member.alive() && member.output.some((line) => line.includes('consuming')),
    )
    const victim = alive[Math.floor(Math.random() * alive.length)]
    if (!victim) continue
    await victim.kill('SIGKILL')
    done++
  }
}

export const R1: Row = {
  id: 'R1',
  promise: 'kill -9 at random instants: every run ends exactly once, ≤ 6 % extra model calls',
  run: (scale) =>
    inWorld({ workers: 3 }, async (world) => {
      const [count, kills] = scale === 'full' ? [2_000, 30] : [330, 5]
      const fire = killers(world, kills, [300, 1_200])
      const asks = spread(count, () => ({ ms: '15' }))
      const half = await askAll(world, asks.slice(0, count / 2))
      await pause(scale === 'full' ? 10_000 : 1_000)
      const ids = [...half, ...(await askAll(world, asks.slice(count / 2)))]
      await fire
      await world.ended(ids, 180_000)
      const { ended, wrong, extraShare, calls } = await inspect(world, ids)
      return {
        holds: ended === count && wrong.length === 0 && extraShare <= 0.06,
        figures: { ended: `${ended}/${count}`, kills, calls, extra: percent(extraShare), wrong: wrong.length },
      }
    }),
}

export const holderOf = async (world: World, task: string): Promise<number> => {
  let pid = 0
  await until(
    `somebody holds ${task}`,
    async () => (pid = Number(await world.witness.hget('holders', task))) > 0,
    20_000,
  )
  return pid
}

export const R2: Row = {
  id: 'R2',
  promise: 'kill the worker that holds a task: another takes it in ≤ 20 s',
  run: (scale) =>
    inWorld({ workers: 2 }, async (world) => {
      const kills = scale === 'full' ? 20 : 2
      const took: number[] = []
      for (let n = 0; n < kills; n++) {
        const id = await world.askWell({ hold: 'generate.1:120000', steps: '1' })
        const task = `${id}/generate.1`
        const pid = await holderOf(world, task)
        await world.crew.members.find((member) => member.pid === pid)?.kill('SIGKILL')
        took.push(
          await until('another has taken it', async () => Number(await world.witness.hget('calls', task)) > 1, 60_000),
        )
        await world.ended([id], 10_000)
      }
      const worst = Math.max(...took)
      return { holds: worst <= 20_000, figures: { kills, worst: seconds(worst), least: seconds(Math.min(...took)) } }
    }),
}

export const R8: Row = {
  id: 'R8',
  promise: 'an event loop blocked for 3× the lock: one commit, the late one fenced, its deltas never shown',
  run: () =>
    inWorld({ workers: 2, concurrency: 1 }, async (world) => {
      const id = await world.askWell({ block: 'generate.1:45000', steps: '1' })
      await world.ended([id], 60_000)
      const task = `${id}/generate.1`
      const before = await world.store.draft(id, null)
      await until('the blocked one is back', async () => (await world.witness.hexists('unblocked', task)) === 1, 60_000)
      await pause(3_000)
      const { wrong, ended } = await inspect(world, [id])
      const late = (await world.store.draft(id, before.at(-1)?.id ?? null)).length
      const calls = Number(await world.witness.hget('calls', task))
      const drafted = (await world.ledgerOf(id)).filter(({ type }) => type === 'drafted').length
      return {
        holds: ended === 1 && wrong.length === 0 && drafted === 1 && calls === 2 && late === 0,
        figures: { deliveries: calls, commits: drafted, 'late deltas': late, wrong: wrong.length },
      }
    }),
}

export const R9: Row = {
  id: 'R9',
  promise:
    'one task that crashes its process beside 99 healthy runs: 99 end well, the poison is abandoned after ≤ 3 crashes',
  run: (scale) =>
    inWorld({ workers: 2 }, async (world) => {
      const healthy = scale === 'full' ? 99 : 40
      const poison = await world.askWell({ poison: 'research.2.1', ms: '20' })
      const ids = await askAll(
        world,
        spread(healthy, () => ({ ms: '300' })),
      )
      await world.ended([poison, ...ids], 240_000)
      const well = await inspect(world, ids)
      const bad = await inspect(world, [poison])
      const crashes = Number(await world.witness.hget('calls', `${poison}/research.2.1`))
      const abandoned = (await world.ledgerOf(poison)).filter(
        ({ type, task }) => type === 'abandoned' && task === 'research.2.1',
      ).length
      const wrong = [...well.wrong, ...bad.wrong]
      return {
        holds: well.answered === healthy && wrong.length === 0 && crashes <= 3 && abandoned === 1,
        figures: {
          healthy: `${well.answered}/${healthy}`,
          crashes,
          abandoned,
          extra: percent(well.extraShare),
          wrong: wrong.length,
        },
      }
    }),
}

export const R11: Row = {
  id: 'R11',
  promise: 'fan-out of 1 to 12 steps, 30 % failing, kills on: the fan-in happens once in every run',
  run: (scale) =>
    inWorld({ workers: 3 }, async (world) => {
      const [count, kills] = scale === 'full' ? [300, 10] : [60, 2]
      const fire = killers(world, kills, [500, 1_500])
      const ids = await askAll(
        world,
        spread(count, (n) => ({ steps: `${1 + (n % 12)}`, failing: '0.3', ms: '15' })),
      )
      await fire
      await world.ended(ids, 180_000)
      const { ended, wrong } = await inspect(world, ids)
      const fanIns = await Promise.all(
        ids.map(async (id) => (await world.ledgerOf(id)).filter(({ type }) => type === 'writing').length),
      )
      const once = fanIns.filter((times) => times === 1).length
      return {
        holds: ended === count && once === count && wrong.length === 0,
        figures: { runs: count, kills, 'fan-in once': `${once}/${count}`, wrong: wrong.length },
      }
    }),
}
