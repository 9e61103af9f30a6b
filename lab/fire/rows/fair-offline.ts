import { readFileSync } from 'node:fs'
import { createClient } from '@plumbline/client'
import { inHouse, type House } from '../house'
import type { Outcome, Scale } from '../row'
import { until } from '../wait'

const keyOf = { quiet: 'key-of-quiet', busy: 'key-of-busy' }
type Tenant = keyof typeof keyOf
/** Without any model, every skill runs in the worker's own process. */
const environment = (): Record<string, string> => ({
  API_KEYS: `${keyOf.quiet}:quiet:asker+admin,${keyOf.busy}:busy:asker+admin`,
  OPENAI_BASE_URL: '',
  OPENAI_API_KEY: '',
  MODEL_SMALL: '',
  MODEL_STRONG: '',
})

const question = 'How many moons did Saturn have in 2019 and in 2023?'
const busyAtOnce = 40
/** In eight short runs of one build, the ratio was between 2.5 and 3.3, so the short form accepts more. */
const forms: Record<Scale, { asks: number; mostRatio: number }> = {
  full: { asks: 300, mostRatio: 3 },
  short: { asks: 60, mostRatio: 4 },
}

const addSample = async ({ url }: House, tenant: Tenant): Promise<void> => {
  const client = createClient({ url, key: keyOf[tenant] })
  const { id } = await client.addDocument({
    title: 'Planets',
    text: readFileSync('sample/planets.md', 'utf8'),
    collection: 'sample',
  })
  await until('the sample is indexed', async () => (await client.document(id)).status === 'indexed', 60_000)
}

const ask = async ({ url }: House, tenant: Tenant): Promise<number> => {
  const from = performance.now()
  const answer = await fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': keyOf[tenant], prefer: 'wait=60' },
    body: JSON.stringify({ question, collection: 'sample' }),
  })
  const { status } = (await answer.json()) as { status: string }
  if (status !== 'answered') throw new Error(`a run of the ${tenant} tenant is ${status}`)
  return performance.now() - from
}

const median = (all: number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
const quietMedian = async (house: House, asks: number): Promise<number> => {
  const all: number[] = []
  while (all.length < asks) all.push(await ask(house, 'quiet'))
  return median(all)
}

/** Asks questions until `stop` is called. `stop` returns how many questions were answered. */
const keepBusy = (house: House): { stop(): Promise<number> } => {
  let stopped = false
  let answered = 0
  const loop = async (): Promise<void> => {
    while (!stopped) {
      await ask(house, 'busy')
      answered += 1
    }
  }
  const loops = Promise.all(Array.from({ length: busyAtOnce }, loop))
  return {
    stop: async () => {
      stopped = true
      await loops
      return answered
    },
  }
}

export const fairOffline = (scale: Scale): Promise<Outcome> =>
  inHouse({ env: environment }, async (house) => {
    const { asks, mostRatio } = forms[scale]
    await Promise.all([addSample(house, 'quiet'), addSample(house, 'busy')])
    await quietMedian(house, 5)
    const before = await quietMedian(house, asks)
    const busy = keepBusy(house)
    await quietMedian(house, 3)
    const from = performance.now()
    const beside = await quietMedian(house, asks)
    const ms = performance.now() - from
    const answered = await busy.stop()
    // Measure alone before and after, because other load on the machine may change.
    const alone = Math.max(before, await quietMedian(house, asks))
    const ratio = beside / alone
    return {
      holds: ratio <= mostRatio && answered > 0,
      figures: {
        'offline p50 alone': `${Math.round(alone)} ms`,
        'offline p50 beside': `${Math.round(beside)} ms`,
        'offline ratio': `${ratio.toFixed(2)} of ${mostRatio}`,
        'offline runs of the busy tenant': `${answered} in ${Math.round(ms)} ms and the end`,
      },
    }
  })
