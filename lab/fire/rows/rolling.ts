import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stages } from '@plumbline/flow'
import type { Proc } from '@plumbline/testing/processes'
import { parse } from 'yaml'
import { inspect } from '../inspect'
import { buildPrevious } from '../previous-build'
import { percent, seconds, type Row } from '../row'
import { pause, until } from '../wait'
import { inWorld, type World } from '../world'
import { askAll } from './crashes'

const askEveryMs = 250
const thisBuild = join(import.meta.dirname, '..')

/** The first step in docs/run/upgrades.md upgrades the apps in this file before all others. */
const firstStep = join(thisBuild, '../deploy/kubernetes/sets/upgrade-workers.yaml')
const appsOfFirstStep = async (): Promise<Set<string>> => {
  const { image } = parse(await readFile(firstStep, 'utf8')) as { image: { tags: Record<string, string> } }
  return new Set(Object.keys(image.tags))
}

const consuming = ({ name, output }: Proc): Promise<unknown> =>
  until(`${name} consumes`, () => output.some((line) => line.includes('consuming')), 60_000)

type Codes = (number | null)[]

/** `helm upgrade` changes all workers together, and each new worker starts before the old one stops. */
const replaceWorkers = (world: World): Promise<Codes> =>
  Promise.all(
    [...world.crew.members].map(async (before, slot) => {
      const next = world.startWorker(slot)
      await consuming(next)
      // Put the new worker into the slot first, because a worker in a slot is restarted when it ends.
      world.crew.members[slot] = next
      return (await before.kill('SIGTERM')).code
    }),
  )

type Part = { apps: readonly string[]; replace: () => Promise<Codes> }
const partsOf = (world: World, ingestor: Proc): Part[] => {
  const replaceIngestor = async (): Promise<Codes> => {
    const before = ingestor
    ingestor = world.startIngestor()
    await consuming(ingestor)
    return [(await before.kill('SIGTERM')).code]
  }
  return [
    { apps: stages, replace: () => replaceWorkers(world) },
    { apps: ['ingestor'], replace: replaceIngestor },
    { apps: ['gateway'], replace: async () => [await world.replaceGateway()] },
  ]
}

const rollBothWays = async (world: World, ingestor: Proc, previous: string): Promise<Codes> => {
  const first = await appsOfFirstStep()
  const parts = partsOf(world, ingestor)
  const isFirst = ({ apps }: Part): boolean => apps.every((app) => first.has(app))
  const steps = [parts.filter(isFirst), parts.filter((part) => !isFirst(part))]
  const codes: Codes = []
  const take = async (step: Part[]): Promise<void> => {
    codes.push(...(await Promise.all(step.map(({ replace: replaceAll }) => replaceAll()))).flat())
  }
  world.startFrom(thisBuild)
  for (const step of steps) await take(step)
  world.startFrom(previous)
  for (const step of steps.reverse()) await take(step)
  return codes
}

export const R20: Row = {
  id: 'R20',
  promise:
    'from one version to the next and back by the two documented steps amid 1,000 runs: 0 lost, 0 failed, nothing twice',
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
        const ingestor = world.startIngestor()
        await consuming(ingestor)
        const rolled = rollBothWays(world, ingestor, previous.dist).finally(() => (rolling = false))
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
