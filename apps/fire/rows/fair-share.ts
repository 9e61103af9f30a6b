import { createClient } from '@plumbline/client'
import type { Run } from '@plumbline/flow'
import { inHouse, type House } from '../house'
import type { Row, Scale } from '../row'
import { pause, until } from '../wait'

const tenants = ['small', 'big', 'heavy', 'hasty'] as const
type Tenant = (typeof tenants)[number]
const keyOf = (tenant: Tenant): string => `key-of-${tenant}`
/** As models answer: most in half a second to two. */
const usual = { kind: 'lognormal', medianMs: 700, sigma: 0.35, mostMs: 2_000 } as const
const places = ['Skerry', 'Vardby', 'Orm']
const hastyPerMinute = 600

const environment = (): Record<string, string> => ({
  API_KEYS: tenants.map((tenant) => `${keyOf(tenant)}:${tenant}:asker+admin`).join(','),
  TENANT_WEIGHTS: 'heavy=3',
  TENANT_ASKS_PER_MINUTE: `*=1000000,hasty=${hastyPerMinute}`,
})

/** Each tenant has documents of its own. */
const addDocuments = async ({ url }: House): Promise<void> => {
  for (const tenant of tenants) {
    const client = createClient({ url, key: keyOf(tenant) })
    for (const [n, place] of places.entries()) {
      const text = `The lighthouse of ${place} is ${31 + n} metres high. It is tended by the keepers of ${place}.`
      const { id } = await client.addDocument({ title: place, text, collection: 'lights' })
      await until(
        `${place} of ${tenant} is indexed`,
        async () => {
          const { status, error } = await client.document(id)
          if (status === 'failed') throw new Error(`${place} failed: ${error}`)
          return status === 'indexed'
        },
        60_000,
      )
    }
  }
}

const post = ({ url }: House, tenant: Tenant, n: number): Promise<Response> =>
  fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': keyOf(tenant) },
    body: JSON.stringify({
      question: `How high is the lighthouse of ${places[n % places.length]}?`,
      collection: 'lights',
      policy: 'simple',
      deadlineMs: 3_600_000,
    }),
  })
const ask = async (house: House, tenant: Tenant, n: number): Promise<string> => {
  const answer = await post(house, tenant, n)
  if (answer.status !== 202) throw new Error(`an ask of ${tenant} was answered ${answer.status}`)
  return ((await answer.json()) as { id: string }).id
}

/** So many at once, as a program of a tenant that does not wait. */
const atOnce = 40
const askMany = async (house: House, tenant: Tenant, count: number): Promise<string[]> => {
  const ids: string[] = []
  let next = 0
  const one = async (): Promise<void> => {
    while (next < count) ids.push(await ask(house, tenant, next++))
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return ids
}

const p95 = (all: number[]): number => [...all].sort((a, b) => a - b)[Math.ceil(all.length * 0.95) - 1] ?? 0

const asksOfSmall = 20
const everyMs = 250

/** From before each ask to the end of its run. */
const small = async (house: House): Promise<number[]> => {
  const asked: Promise<{ id: string; from: number }>[] = []
  for (let n = 0; n < asksOfSmall; n += 1) {
    const from = Date.now()
    asked.push(ask(house, 'small', n).then((id) => ({ id, from })))
    await pause(everyMs)
  }
  const all = await Promise.all(asked)
  await house.ended(
    all.map(({ id }) => id),
    120_000,
  )
  const runs = await house.load(all.map(({ id }) => id))
  return all.map(({ from }, n) => (runs[n]?.endedAt ?? Infinity) - from)
}

const endedBetween = (runs: (Run | null)[], from: number, to: number): number =>
  runs.filter((run) => run?.endedAt !== undefined && run.endedAt > from && run.endedAt <= to).length

/** Both have more than is worked off; returns how many of each ended while `count` of the heavy one did. */
const sharing = async (house: House, bigIds: string[], count: number): Promise<{ heavy: number; big: number }> => {
  const warm = 15
  const heavyIds = await askMany(house, 'heavy', count + warm + 60)
  let ends: number[] = []
  await until(
    'the heavy tenant has had its runs',
    async () => {
      await pause(500)
      const runs = await house.load(heavyIds)
      ends = runs.flatMap((run) => run?.endedAt ?? []).sort((a, b) => a - b)
      return ends.length >= warm + count
    },
    600_000,
  )
  const [from = 0, to = 0] = [ends[warm - 1], ends[warm + count - 1]]
  return { heavy: count, big: endedBetween(await house.load(bigIds), from, to) }
}

type Answers = { accepted: number; refused: number; without: number; faults: number }
/** Ten times what its quota gives back, for so long. */
const burst = async (house: House, ms: number): Promise<Answers> => {
  const told: Answers = { accepted: 0, refused: 0, without: 0, faults: 0 }
  const note = ({ status, headers }: Response): void => {
    if (status === 202) told.accepted += 1
    else if (status !== 429) told.faults += 1
    else if (Number(headers.get('retry-after')) >= 1) told.refused += 1
    else told.without += 1
  }
  const sent: Promise<void>[] = []
  const perTick = 10
  const tickMs = (perTick * 60_000) / (10 * hastyPerMinute)
  // Its quota of a minute goes first, so that the rest of the burst meets the limit.
  for (let n = 0; n < hastyPerMinute; n += atOnce)
    await Promise.all(Array.from({ length: atOnce }, async (_, at) => note(await post(house, 'hasty', n + at))))
  for (let passed = 0; passed < ms; passed += tickMs) {
    for (let n = 0; n < perTick; n += 1) sent.push(post(house, 'hasty', n).then(note))
    await pause(tickMs)
  }
  await Promise.all(sent)
  return told
}

const scales: Record<Scale, { queued: number; shared: number; burstMs: number }> = {
  full: { queued: 5_000, shared: 300, burstMs: 10_000 },
  short: { queued: 600, shared: 60, burstMs: 2_000 },
}
/** The promises are 2 and 10 %, which the full form judges; a few asks beside whatever else a small machine does tell less. */
const most = { full: { ratio: 2, off: 0.1 }, short: { ratio: 3, off: 0.3 } }

export const H10: Row = {
  id: 'H10',
  promise:
    'beside one tenant’s 5,000 queued asks another’s 20 have a p95 ≤ 2× of being alone; weights 3:1 give 3:1 within 10 %; a burst of ten times a quota is accepted or told when to come again, 0 faults',
  run: (scale) =>
    inHouse({ env: environment }, async (house) => {
      const { queued, shared, burstMs } = scales[scale]
      await addDocuments(house)
      house.model.latency(usual)
      await small(house)
      const alone = await small(house)
      const bigIds = await askMany(house, 'big', queued)
      const beside = await small(house)
      const shares = await sharing(house, bigIds, shared)
      const left = (await house.load(bigIds)).filter((run) => run?.endedAt === undefined).length
      const answers = await burst(house, burstMs)
      const ratio = p95(beside) / p95(alone)
      const share = shares.heavy / shares.big
      const bounds = most[scale]
      return {
        holds:
          ratio <= bounds.ratio &&
          Math.abs(share / 3 - 1) <= bounds.off &&
          left > 0 &&
          answers.faults + answers.without === 0 &&
          answers.refused > 0,
        figures: {
          queued,
          'p95 alone': `${Math.round(p95(alone))} ms`,
          'p95 beside': `${Math.round(p95(beside))} ms`,
          ratio: `${ratio.toFixed(2)} of ${bounds.ratio}`,
          'ended of weight 3 and 1': `${shares.heavy} and ${shares.big}: ${share.toFixed(2)}`,
          'still waiting then': left,
          'answers to the burst': `${answers.accepted} accepted, ${answers.refused} told when, ${answers.faults + answers.without} else`,
        },
      }
    }),
}
