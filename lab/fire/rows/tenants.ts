import { createClient } from '@plumbline/client'
import { mostStreams } from '@plumbline/gateway/settings'
import type { ModelServer } from '@plumbline/testing/model-server/model-server'
import { fillLimits } from '../filling'
import { inHouse, type House } from '../house'
import type { Row } from '../row'
import { until } from '../wait'

const keyOf = { big: 'key-of-big', small: 'key-of-small' }
const usual = { kind: 'lognormal', medianMs: 700, sigma: 0.35, mostMs: 2_000 } as const
const places = ['Skerry', 'Vardby', 'Orm', 'Kelso', 'Tarbet', 'Lorne']
const endless = 'How high is the lighthouse of Holdenby?'

const withKeys = (model: ModelServer): Record<string, string> => ({
  API_KEYS: `${keyOf.big}:big:asker+admin,${keyOf.small}:small:asker+admin`,
  EMBEDDING_MODEL: 'text-embedding-3-small',
  EMBEDDING_BASE_URL: model.openaiUrl,
  EMBEDDING_API_KEY: 'a-key',
  EMBEDDING_DIMENSIONS: '64',
})

/** A long report often waits for the model. It keeps a slot occupied, but needs little processor time. */
const longReport = (n: number): string =>
  Array.from(
    { length: 300 },
    (_, at) => `# Section ${at} of report ${n}\n\nThe yield of plot ${at} was ${(n * 37 + at * 11) % 900} tonnes.`,
  ).join('\n\n')

type TenantResult = { documents: number[]; questions: number[]; refused: number }

const working = async ({ url }: House, rounds: number, from: number): Promise<TenantResult> => {
  const told: TenantResult = { documents: [], questions: [], refused: 0 }
  const noting: typeof fetch = async (...asked) => {
    const response = await fetch(...asked)
    if (response.status === 429 || response.status === 503) told.refused += 1
    return response
  }
  const client = createClient({ url, key: keyOf.small, fetch: noting })
  const timed = async (times: number[], work: () => Promise<void>): Promise<void> => {
    const begun = performance.now()
    await work()
    times.push(performance.now() - begun)
  }
  for (let n = from; n < from + rounds; n += 1) {
    const place = places[n % places.length]
    const text = `The lighthouse of ${place} is ${31 + n} metres high, as note ${n} says.`
    await timed(told.documents, async () => {
      const { id } = await client.uploadDocument(new Blob([text]), `note-${n}.txt`, { collection: 'lights' })
      for await (const { status, error } of client.documentEvents(id))
        if (status === 'failed') throw new Error(`note ${n} failed: ${error}`)
    })
    await timed(told.questions, async () => {
      const question = `How high is the lighthouse of ${place}?`
      const { id } = await client.ask({ question, collection: 'lights', policy: 'simple' }, { waitSeconds: 30 })
      let last = ''
      for await (const { type } of client.events(id)) last = type
      if (last !== 'ended') throw new Error('a run did not end while it was watched')
    })
  }
  return told
}

const fillAll = async ({ url }: House, reports: number) => {
  const client = createClient({ url, key: keyOf.big })
  const ids: string[] = []
  for (let n = 0; n < reports; n += 1)
    ids.push((await client.addDocument({ title: `Report ${n}`, text: longReport(n), collection: 'bulk' })).id)
  const filled = fillLimits(url, keyOf.big)
  filled.fill('uploads', 16, () => ({
    method: 'POST',
    path: '/v1/documents',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '100000' },
    body: '--x\r\ncontent-disposition: form-data; name="file"; filename="slow.txt"\r\n\r\n',
    trickle: 'a',
  }))
  filled.fill('waiting asks', 500, () => ({
    method: 'POST',
    path: '/v1/runs',
    headers: {
      'content-type': 'application/json',
      prefer: 'wait=60',
      'idempotency-key': `minute-${Math.floor(Date.now() / 60_000)}`,
    },
    body: JSON.stringify({ question: endless, collection: 'bulk', policy: 'simple' }),
  }))
  filled.fill('streams', Math.ceil(mostStreams() / 2), () => ({
    method: 'GET',
    path: `/v1/documents/${ids.at(-1)}/events`,
  }))
  await until('the big tenant has all it may have', filled.full, 60_000)
  const ended = async (): Promise<number> =>
    (await Promise.all(ids.map((id) => client.document(id)))).filter(({ status }) => status === 'indexed').length
  const stop = async (): Promise<void> => {
    filled.stop()
    for (const id of ids) await client.removeDocument(id)
  }
  return { figures: filled.figures, ended, stop }
}

const p95 = (all: number[]): number => Math.round([...all].sort((a, b) => a - b)[Math.ceil(all.length * 0.95) - 1] ?? 0)

const measure = async (house: House, rounds: number, reports: number) => {
  house.model.latency(usual)
  house.model.latency({ kind: 'fixed', ms: 50_000 }, { kind: 'chat', text: /Holdenby/ })
  await createClient({ url: house.url, key: keyOf.big }).putCollection('bulk', { description: 'Reports of plots.' })
  // Pay one-time costs first, such as starting processes and connections.
  await working(house, 2, 0)
  const alone = await working(house, rounds, 2)
  const filled = await fillAll(house, reports)
  const besideIt = async () => ({
    beside: await working(house, rounds, 2 + rounds),
    refusals: filled.figures(),
    ended: await filled.ended(),
  })
  const seen = await besideIt().finally(filled.stop)
  // Measure the tenant alone before and after, because other load on the machine changes during this test.
  const again = await working(house, rounds, 2 + 2 * rounds)
  alone.documents.push(...again.documents)
  alone.questions.push(...again.questions)
  return { alone, ...seen }
}

/** The promise is a ratio of 2. The short form allows 3, because its p95 is the slowest of a few rounds. */
const most = { full: 2, short: 3 }

export const S14: Row = {
  id: 'S14',
  promise:
    'one tenant fills every kind of place (uploads, waiting asks, streams, readers): another tenant’s p95 ≤ 2× of being alone, 0 refused',
  run: (scale) =>
    inHouse({ env: withKeys, ingestorApart: true }, async (house) => {
      const [rounds, reports] = scale === 'full' ? [60, 150] : [12, 90]
      const { alone, beside, refusals, ended } = await measure(house, rounds, reports)
      const documents = p95(beside.documents) / p95(alone.documents)
      const questions = p95(beside.questions) / p95(alone.questions)
      return {
        holds:
          documents <= most[scale] && questions <= most[scale] && beside.refused === 0 && ended > 0 && ended < reports,
        figures: {
          rounds,
          refused: beside.refused,
          'p95 of a document': `${p95(alone.documents)} ms alone, ${p95(beside.documents)} ms beside: ${documents.toFixed(2)}×`,
          'p95 of a question': `${p95(alone.questions)} ms alone, ${p95(beside.questions)} ms beside: ${questions.toFixed(2)}×`,
          'refusals of the other': refusals,
          'its reports read': `${ended}/${reports}`,
        },
      }
    }),
}
