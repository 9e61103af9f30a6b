import { createClient } from '@plumbline/client'
import type { Run } from '@plumbline/flow'
import { inHouse, type House } from '../house'
import type { Outcome, Row, Scale } from '../row'
import { fairOffline } from './fair-offline'
import { pause, until } from '../wait'

const tenants = ['small', 'big', 'heavy', 'hasty'] as const
type Tenant = (typeof tenants)[number]
const keyOf = (tenant: Tenant): string => `key-of-${tenant}`
const places = ['Skerry', 'Vardby', 'Orm']
const hastyPerMinute = 240

const environment = (): Record<string, string> => ({
  API_KEYS: tenants.map((tenant) => `${keyOf(tenant)}:${tenant}:asker+admin`).join(','),
  TENANT_WEIGHTS: 'heavy=3',
  TENANT_ASKS_PER_MINUTE: `*=1000000,hasty=${hastyPerMinute}`,
})

const addDocument = async (house: House, tenant: Tenant, place: string, metres: number): Promise<void> => {
  const client = createClient({ url: house.url, key: keyOf(tenant) })
  const text = `The lighthouse of ${place} is ${metres} metres high. It is tended by the keepers of ${place}.`
  const { id } = await client.addDocument({ title: place, text, collection: 'lights' })
  const isIndexed = async (): Promise<boolean> => {
    const { status, error } = await client.document(id)
    if (status === 'failed') throw new Error(`${place} failed: ${error}`)
    return status === 'indexed'
  }
  await until(`${place} of ${tenant} is indexed`, isIndexed, 60_000)
}
const addDocuments = (house: House): Promise<unknown> =>
  Promise.all(tenants.flatMap((tenant) => places.map((place, n) => addDocument(house, tenant, place, 31 + n))))

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

/** The number of parallel requests of a program that does not wait for answers. */
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

/** Returns the time in ms from each request to the end of its run. */
const small = async (house: House, { asks, everyMs }: Form): Promise<number[]> => {
  const asked: Promise<{ id: string; from: number }>[] = []
  for (let n = 0; n < asks; n += 1) {
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

/** Returns how many runs of each tenant ended while `shared` runs of the heavy tenant ended. */
const sharing = async (house: House, bigIds: string[], { warm, shared }: Form): Promise<Shares> => {
  // Add 30 runs, so that the heavy tenant still has waiting runs when the measurement ends.
  const heavyIds = await askMany(house, 'heavy', warm + shared + 30)
  let ends: number[] = []
  await until(
    'the heavy tenant has had its runs',
    async () => {
      await pause(500)
      const runs = await house.load(heavyIds)
      ends = runs.flatMap((run) => run?.endedAt ?? []).sort((a, b) => a - b)
      return ends.length >= warm + shared
    },
    600_000,
  )
  const [from = 0, to = 0] = [ends[warm - 1], ends[warm + shared - 1]]
  const bigRuns = await house.load(bigIds)
  const left = bigRuns.filter((run) => run?.endedAt === undefined).length
  return { heavy: shared, big: endedBetween(bigRuns, from, to), left }
}
type Shares = { heavy: number; big: number; left: number }

/** `seconds`: the `Retry-After` header. After this time, the gateway promises to accept a request. */
type Answer = { at: number; status: number; seconds: number }
const hastyAsk = async (house: House, n: number): Promise<Answer> => {
  const { status, headers } = await post(house, 'hasty', n)
  return { at: Date.now(), status, seconds: Number(headers.get('retry-after') ?? NaN) }
}

/** Uses up the quota of one minute first, so that the whole burst exceeds the quota. */
const burst = async (house: House, ms: number): Promise<Answer[]> => {
  const sent: Promise<Answer>[] = []
  for (let n = 0; n < hastyPerMinute; n += atOnce) {
    const some = Array.from({ length: atOnce }, (_, at) => hastyAsk(house, n + at))
    sent.push(...some)
    await Promise.all(some)
  }
  const perTick = 10
  const tickMs = (perTick * 60_000) / (10 * hastyPerMinute)
  for (let passed = 0; passed < ms; passed += tickMs) {
    for (let n = 0; n < perTick; n += 1) sent.push(hastyAsk(house, n))
    await pause(tickMs)
  }
  return (await Promise.all(sent)).sort((a, b) => a.at - b.at)
}

/** The tolerance for the announced times, because a response may arrive late. */
const slackMs = 500
/** Returns how many refusals announced a time at which the gateway still accepted no request. */
const untrue = (answers: Answer[]): number => {
  const end = answers.at(-1)?.at ?? 0
  const places = answers.filter(({ status }) => status === 202).map(({ at }) => at)
  return answers.filter(({ at, status, seconds }) => {
    const told = at + seconds * 1_000 + slackMs
    return status === 429 && told < end && !places.some((place) => place > at && place <= told)
  }).length
}

const burstOf = async (house: House, ms: number) => {
  const answers = await burst(house, ms)
  const refused = answers.filter(({ status }) => status === 429)
  await pause((refused.at(-1)?.seconds ?? 0) * 1_000)
  const { status: thenStatus } = await hastyAsk(house, 0)
  return {
    accepted: answers.filter(({ status }) => status === 202).length,
    refused: refused.length,
    faults: answers.filter(({ status }) => status !== 202 && status !== 429).length,
    untrue: refused.filter(({ seconds }) => !(seconds >= 1)).length + untrue(answers) + (thenStatus === 202 ? 0 : 1),
  }
}

type Form = {
  queued: number
  asks: number
  everyMs: number
  /** The number of first runs that are not measured, because a new tenant first gets more than its share. */
  warm: number
  shared: number
  burstMs: number
  medianMs: number
  most: { ratio: number; off: number }
}
/** `full` has the promised bounds. `short` has higher bounds, because other load affects its few runs more. */
const forms: Record<Scale, Form> = {
  full: {
    ...{ queued: 5_000, asks: 20, everyMs: 250, warm: 90, shared: 300, burstMs: 60_000, medianMs: 700 },
    most: { ratio: 2, off: 0.1 },
  },
  short: {
    ...{ queued: 200, asks: 8, everyMs: 150, warm: 45, shared: 36, burstMs: 1_500, medianMs: 200 },
    most: { ratio: 4, off: 0.34 },
  },
}

const outcomeOf = (form: Form, alone: number, beside: number, shares: Shares, answers: BurstAnswers): Outcome => {
  const [ratio, share] = [beside / alone, shares.heavy / shares.big]
  return {
    holds:
      ratio <= form.most.ratio &&
      Math.abs(share / 3 - 1) <= form.most.off &&
      shares.left > 0 &&
      answers.faults + answers.untrue === 0 &&
      answers.refused > 0,
    figures: {
      queued: form.queued,
      'p95 alone': `${Math.round(alone)} ms`,
      'p95 beside': `${Math.round(beside)} ms`,
      ratio: `${ratio.toFixed(2)} of ${form.most.ratio}`,
      'ended of weight 3 and 1': `${shares.heavy} and ${shares.big}: ${share.toFixed(2)}`,
      'still waiting then': shares.left,
      'answers to the burst': `${answers.accepted} accepted, ${answers.refused} told when, ${answers.untrue} of them wrongly, ${answers.faults} else`,
    },
  }
}
type BurstAnswers = Awaited<ReturnType<typeof burstOf>>

const shareWithModels = (scale: Scale): Promise<Outcome> =>
  inHouse({ env: environment }, async (house) => {
    const form = forms[scale]
    await addDocuments(house)
    house.model.latency({ kind: 'lognormal', medianMs: form.medianMs, sigma: 0.35, mostMs: 2_000 })
    await small(house, { ...form, asks: 4 })
    const alone = p95(await small(house, form))
    const bigIds = await askMany(house, 'big', form.queued)
    const beside = p95(await small(house, form))
    const shares = await sharing(house, bigIds, form)
    return outcomeOf(form, alone, beside, shares, await burstOf(house, form.burstMs))
  })

export const H10: Row = {
  id: 'H10',
  promise:
    'beside one tenant’s 5,000 queued asks another’s 20 have a p95 ≤ 2× of being alone; weights 3:1 give 3:1 within 10 %; of a burst of ten times a quota for a minute each ask is accepted or told truly when to come again, 0 faults; without any model, where every skill runs in the worker’s process, a quiet tenant’s p50 beside 40 asks of a busy one is ≤ 3× of being alone',
  run: async (scale) => {
    const withModels = await shareWithModels(scale)
    const offline = await fairOffline(scale)
    return { holds: withModels.holds && offline.holds, figures: { ...withModels.figures, ...offline.figures } }
  },
}
