import type { BatchResult } from '@plumbline/contracts'
import { inHouse, type House } from '../house'
import { residentMb, watchMemory } from '@plumbline/testing/processes'
import { seconds, type Row, type Scale } from '../row'
import { pause, until } from '../wait'

const places = ['Skerry', 'Vardby', 'Orm']
const askOf = (n: number) => ({
  question: `How high is the lighthouse of ${places[n % places.length]}?`,
  collection: 'lights',
  policy: 'simple',
})

const p50 = (all: number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

const asking = async ({ client }: House, count: number): Promise<number[]> => {
  const took: number[] = []
  for (let n = 0; n < count; n += 1) {
    const from = performance.now()
    const { status } = await client.ask(askOf(n), { waitSeconds: 60 })
    if (status !== 'answered') throw new Error(`an ask beside the batch is ${status}`)
    took.push(performance.now() - from)
  }
  return took
}

const linesOf = (count: number): string =>
  Array.from({ length: count }, (_, n) => `${JSON.stringify({ custom_id: `line-${n + 1}`, ...askOf(n) })}\n`).join('')

const ended = async ({ client }: House, id: string, timeoutMs: number): Promise<void> => {
  await until(
    'the batch has ended',
    async () => {
      await pause(200)
      // Ignore errors, because the gateway may be restarting.
      return (await client.batch(id).catch(() => null))?.status === 'finished'
    },
    timeoutMs,
  )
}

const resultsOf = async ({ client }: House, id: string): Promise<BatchResult[]> => {
  const all: BatchResult[] = []
  for await (const one of client.batchResults(id)) all.push(one)
  return all
}

const runsIn = async ({ client }: House): Promise<number> => {
  let [runs, cursor]: [number, string | undefined] = [0, undefined]
  do {
    const page = await client.runs({ limit: 100, ...(cursor !== undefined && { cursor }) })
    runs += page.items.length
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return runs
}

const scales: Record<Scale, { lines: number; asks: number }> = {
  full: { lines: 10_000, asks: 30 },
  short: { lines: 150, asks: 4 },
}
/** The maximum for the p50 during a batch, divided by the p50 without a batch. Few questions make `short` imprecise. */
const most = { full: 2, short: 3 }
const mostGatewayMb = 150
/** The duration of one model call. A run makes three calls. */
const modelMs = 300

export const H11: Row = {
  id: 'H11',
  promise:
    'a batch of 10,000 lines: an interactive ask beside it takes ≤ 2× of being alone, the gateway grows by ≤ 150 MB, and with the gateway killed in the middle no line is lost or asked twice',
  run: (scale) =>
    inHouse({}, async (house) => {
      const { lines, asks } = scales[scale]
      for (const [n, place] of places.entries())
        await house.add(place, `The lighthouse of ${place} is ${31 + n} metres high.`, 'lights')
      house.model.latency({ kind: 'fixed', ms: modelMs })
      await asking(house, 2)
      const alone = await asking(house, asks)
      const before = {
        runs: await runsIn(house),
        redis: await house.redisMb(),
        gateway: residentMb(house.gateway().pid),
      }
      const memory = watchMemory(house.gateway().pid)
      const from = performance.now()
      const { id } = await house.client.createBatch(linesOf(lines))
      const takenMs = performance.now() - from
      const taken = await house.redisMb()
      const beside = await asking(house, asks)
      const grown = memory.stop() - before.gateway
      const { status, progress } = await house.client.batch(id)
      // The measurement is over, so let the remaining lines finish fast.
      house.model.latency({ kind: 'fixed', ms: 0 })
      await house.killGateway()
      await ended(house, id, 1_800_000)
      const tookMs = performance.now() - from
      const results = await resultsOf(house, id)
      const answered = results.filter((one) => one.status === 'answered')
      const inOrder = results.every(({ custom_id, line }, n) => line === n + 1 && custom_id === `line-${n + 1}`)
      const asked = (await runsIn(house)) - before.runs - asks
      const ratio = p50(beside) / p50(alone)
      return {
        holds:
          [results.length, answered.length, asked, new Set(answered.map(({ runId }) => runId)).size].every(
            (count) => count === lines,
          ) &&
          inOrder &&
          status === 'running' &&
          ratio <= most[scale] &&
          grown <= mostGatewayMb,
        figures: {
          lines,
          'taken in': `${Math.round(takenMs)} ms`,
          'answered before the kill': progress.answered,
          answered: answered.length,
          'runs in the store': asked,
          'from taken in to ended': seconds(tookMs),
          'p50 alone': `${Math.round(p50(alone))} ms`,
          'p50 beside': `${Math.round(p50(beside))} ms`,
          ratio: `${ratio.toFixed(2)} of ${most[scale]}`,
          'gateway grew': `${grown.toFixed(0)} MB of ${mostGatewayMb}`,
          'Redis grew by the lines': `${(taken - before.redis).toFixed(1)} MB`,
          'and by all runs': `${((await house.redisMb()) - before.redis).toFixed(1)} MB`,
        },
      }
    }),
}
