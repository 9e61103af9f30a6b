import { inspect } from '../inspect'
import { seconds, type Row } from '../row'
import { pause, until } from '../wait'
import { inWorld, type World } from '../world'
import { askAll } from './crashes'

const held = (world: World, task: string): Promise<number> =>
  until(`${task} is held`, async () => (await world.witness.hexists('holders', task)) === 1, 15_000)

export const R15: Row = {
  id: 'R15',
  promise: 'SIGTERM: an idle worker exits in ≤ 2 s; a busy one finishes or hands back, and nothing is redelivered',
  run: () =>
    inWorld({ workers: 2 }, async (world) => {
      const [first, second] = world.crew.members
      if (!first || !second) throw new Error('two workers expected')
      const idle = await first.kill('SIGTERM')
      await until(
        'the fleet is whole again',
        () =>
          world.crew.members.every(
            (member) => member.alive() && member.output.some((line) => line.includes('consuming')),
          ),
        15_000,
      )
      const ids = await askAll(
        world,
        Array.from({ length: 10 }, () => ({ hold: 'generate.1:3000', steps: '2' })),
      )
      await Promise.all(ids.map((id) => held(world, `${id}/generate.1`)))
      const busy = await Promise.all([...world.crew.members].map((member) => member.kill('SIGTERM')))
      await world.ended(ids, 30_000)
      const { wrong, extraShare } = await inspect(world, ids)
      const gateway = await world.gateway.kill('SIGTERM')
      const codes = [idle, gateway, ...busy].map(({ code }) => code)
      return {
        holds: idle.ms <= 2_000 && codes.every((code) => code === 0) && extraShare === 0 && wrong.length === 0,
        figures: {
          idle: seconds(idle.ms),
          busy: seconds(Math.max(...busy.map(({ ms }) => ms))),
          gateway: seconds(gateway.ms),
          'exit codes': codes.join(','),
          redelivered: extraShare * 100,
          wrong: wrong.length,
        },
      }
    }),
}

const clockOff = (ms: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(`const Real = Date; globalThis.Date = class extends Real { constructor(...a) { super(...(a.length ? a : [Real.now() + ${ms}])) } static now() { return Real.now() + ${ms} } }`)}`

const hour = 3_600_000

const skewed = (ms: number) =>
  inWorld({ workers: 1 }, async (world) => {
    await world.crew.stop('SIGTERM')
    const wrongClock = world.startWorker(90, [clockOff(ms)])
    await until(
      'the worker has started',
      () => wrongClock.output.some((line) => line.includes('processing no jobs')),
      20_000,
    )
    const ids = await askAll(
      world,
      Array.from({ length: 5 }, () => ({ failing: '1', steps: '1' })),
    )
    await pause(5_000)
    const took = Object.keys(await world.calls()).length
    const said = wrongClock.output.some((line) => /clock/i.test(line))
    const right = world.startWorker(91)
    await world.ended(ids, 60_000)
    const { wrong } = await inspect(world, ids)
    await Promise.all([wrongClock.kill('SIGTERM'), right.kill('SIGTERM')])
    return { took, said, wrong }
  })

export const R16: Row = {
  id: 'R16',
  promise: 'a clock one hour off: that process takes nothing and says so; the runs end elsewhere',
  run: async () => {
    const both = await Promise.all([skewed(hour), skewed(-hour)])
    return {
      holds: both.every(({ took, said, wrong }) => took === 0 && said && wrong.length === 0),
      figures: {
        'tasks taken': both.reduce((sum, { took }) => sum + took, 0),
        said: both.every(({ said }) => said) ? 'yes' : 'no',
        wrong: both.reduce((sum, { wrong }) => sum + wrong.length, 0),
      },
    }
  },
}
