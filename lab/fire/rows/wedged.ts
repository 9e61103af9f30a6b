import { seconds, type Row } from '../row'
import { pause, until } from '../wait'
import { inWorld, type World } from '../world'
import { askAll } from './crashes'

const healthOf = ({ crew }: World): string => {
  const line = crew.members[0]?.output.find((each) => each.includes('consuming')) ?? ''
  return `http://127.0.0.1:${/"health":(\d+)/.exec(line)?.[1]}/livez`
}
const noticedMs = 60_000
/** The time before which the health check must not report the worker as dead. */
const earliestMs = 40_000

export const O6: Row = {
  id: 'O6',
  promise:
    'a worker that is connected but no longer consumes: /livez fails ≤ 60 s, not at once, and its restart ends the runs',
  run: (scale) =>
    inWorld({ workers: 1 }, async (world) => {
      const [worker] = world.crew.members
      if (!worker) throw new Error('a worker expected')
      const livez = healthOf(world)
      const live = async (): Promise<boolean> => (await fetch(livez)).status === 200
      process.kill(worker.pid, 'SIGUSR2')
      await until('it takes no more jobs', () => worker.output.some((line) => line.includes('wedged')), 10_000)
      // Ask several questions, because the worker may still take a few jobs.
      const ids = await askAll(
        world,
        Array.from({ length: 60 }, () => ({ ms: '0' })),
      )
      const from = performance.now()
      await pause(scale === 'full' ? earliestMs : 6_000)
      const early = !(await live())
      if (scale === 'full') await until('it is called dead', async () => !(await live()), noticedMs)
      const after = performance.now() - from
      const open = (await world.load(ids)).filter((run) => run?.endedAt === undefined).length
      await worker.kill('SIGKILL')
      await world.ended(ids, 120_000)
      return {
        holds: !early && open > 0 && (scale === 'short' || after <= noticedMs),
        figures: {
          'called dead after': scale === 'full' ? seconds(after) : 'not looked at in the short form',
          'runs that stood still': `${open}/${ids.length}`,
        },
      }
    }),
}
