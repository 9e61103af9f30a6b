import { inHouse, type House } from '../house'
import { inspect } from '../inspect'
import type { Row, Scale } from '../row'
import { pause, until } from '../wait'
import { inWorld, type World } from '../world'
import { holderOf } from './crashes'
import { addLights, askSteadily, offline } from './load'

const median = (all: number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
/** The maximum duration of a question beside isolated work, relative to the usual duration. */
const mostBeside = 3

const slowText = 'the slowest report of all'
/** Each embedding call for the document takes `callMs`, which must be below a worker's timeout. */
const slowDocument = (calls: number): string =>
  Array.from({ length: calls * 32 }, (_, n) => `# Part ${n}\n\nThis is part ${n} of ${slowText}.`).join('\n\n')
const callMs = 20_000
const embeddings = { EMBEDDING_MODEL: 'text-embedding-3-small', EMBEDDING_API_KEY: 'a-key', EMBEDDING_DIMENSIONS: '64' }

/** Measures questions while a slow document is indexed. After the restart, this document is processed alone. */
const besideDocument = async (house: House, calls: number, everyMs: number) => {
  const { client, model, killWorker, worker } = house
  await addLights(house)
  const quietly = askSteadily(house, everyMs)
  await pause(6_000)
  const quiet = await quietly()
  const { id } = await client.addDocument({ title: 'Slow', text: slowDocument(calls), collection: 'slow' })
  const begun = (times: number): Promise<number> =>
    until(
      `the document is embedded, time ${times}`,
      () => model.calls('embeddings').filter(({ body }) => JSON.stringify(body).includes(slowText)).length >= times,
      60_000,
    )
  await begun(1)
  await killWorker()
  await begun(2)
  const beside = askSteadily(house, everyMs)
  const from = performance.now()
  await until('the document is through', async () => (await client.document(id)).status === 'indexed', 700_000)
  const heldMs = performance.now() - from
  const asked = await beside()
  const alone = worker().output.filter((line) => line.includes('processed alone')).length
  return { ...asked, heldMs, alone, ratio: median(asked.took) / median(quiet.took) }
}

const document = (scale: Scale) => {
  const [calls, everyMs] = scale === 'full' ? [30, 500] : [1, 100]
  const env = { ...offline, ...embeddings, INGESTOR_TIMEOUT_MS: '900000' }
  return inHouse({ env: ({ openaiUrl }) => ({ ...env, EMBEDDING_BASE_URL: openaiUrl }) }, (house) => {
    house.model.latency({ kind: 'fixed', ms: callMs }, { kind: 'embeddings', text: new RegExp(slowText) })
    return besideDocument(house, calls, everyMs)
  })
}

const isolations = async ({ crew }: World): Promise<number> => {
  const counts = crew.members.map(async ({ output }) => {
    const port = /"health":(\d+)/.exec(output.join('\n'))?.[1]
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return [...text.matchAll(/^plumbline_redelivered_total\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

const asked = async (world: World, goesOn: (count: number) => boolean | Promise<boolean>): Promise<string[]> => {
  const ids: string[] = []
  while (await goesOn(ids.length)) {
    ids.push(await world.askWell({ ms: '20' }))
    await pause(50)
  }
  return ids
}

const tookOf = async (world: World, ids: string[]): Promise<number> => {
  await world.ended(ids, 60_000)
  return median((await world.load(ids)).map((run) => (run?.endedAt ?? Infinity) - (run?.createdAt ?? 0)))
}

const postponed = () =>
  inWorld({ workers: 2 }, async (world) => {
    const quiet = await tookOf(world, await asked(world, (count) => count < 50))
    const id = await world.askWell({ hold: 'generate.1:120000', postpone: 'generate.1:5', steps: '1' })
    const task = `${id}/generate.1`
    const pid = await holderOf(world, task)
    await world.crew.members.find((member) => member.pid === pid)?.kill('SIGKILL')
    const starts = async (): Promise<number> => Number(await world.witness.hget('calls', task))
    await until('another has taken it', async () => (await starts()) > 1, 60_000)
    const beside = await asked(world, async () => (await starts()) < 7)
    const ratio = (await tookOf(world, beside)) / quiet
    await world.ended([id], 30_000)
    const { ended, wrong } = await inspect(world, [id, ...beside])
    return {
      starts: await starts(),
      alone: await isolations(world),
      ratio,
      asked: beside.length,
      ended: ended - 1,
      wrong,
    }
  })

export const R18: Row = {
  id: 'R18',
  promise:
    'a redelivered document of 600 s beside questions; a task that stalled once and is postponed five times: questions go on as before, isolation once',
  run: async (scale) => {
    const slow = await document(scale)
    const task = await postponed()
    return {
      holds:
        slow.answered === slow.took.length &&
        slow.took.length > 0 &&
        task.ended === task.asked &&
        task.wrong.length === 0 &&
        task.starts === 7 &&
        Math.max(slow.ratio, task.ratio) <= mostBeside &&
        slow.alone === 1 &&
        task.alone === 1,
      figures: {
        'document held': `${Math.round(slow.heldMs / 1_000)} s`,
        'questions beside it': `${slow.answered}/${slow.took.length} answered`,
        'median of idle': `${slow.ratio.toFixed(2)} of ${mostBeside}`,
        'document alone': slow.alone,
        'starts of the task': task.starts,
        'runs beside it': `${task.ended}/${task.asked} ended`,
        'their median of idle': `${task.ratio.toFixed(2)} of ${mostBeside}`,
        'task alone': task.alone,
        wrong: task.wrong.length,
      },
    }
  },
}
