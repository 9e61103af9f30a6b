import { answer } from '@plumbline/testing/model-server/answer'
import type { Scripted } from '@plumbline/testing/model-server/script'
import { plainModel } from '@plumbline/testing/scripted-model/plain-model'
import { inHouse, type House } from '../house'
import { seconds, type Row } from '../row'
import { pause } from '../wait'

const places = ['Skerry', 'Vardby', 'Orm', 'Kelso', 'Tarbet', 'Lorne']
const heights = places.map(
  (place, n) => `The lighthouse of ${place} is ${31 + n} metres high. It is tended by the keepers of ${place}.`,
)
const question = (place: string | undefined): string => `How high is the lighthouse of ${place}?`

const furnish = async ({ add }: House): Promise<void> => {
  for (const [n, text] of heights.entries()) await add(`${places[n]}`, text, 'lights')
}

const askMany = async (
  { client }: House,
  count: number,
  more: { policy: string; deadlineMs?: number },
): Promise<string[]> => {
  const one = async (n: number): Promise<string> =>
    (await client.ask({ question: question(places[n % places.length]), collection: 'lights', ...more })).id
  const ids: string[] = []
  for (let n = 0; n < count; n += 20)
    ids.push(...(await Promise.all(Array.from({ length: Math.min(20, count - n) }, (_, at) => one(n + at)))))
  return ids
}

const stoodIn = async ({ ledgerOf }: House, ids: string[]): Promise<number> => {
  const ledgers = await Promise.all(ids.map(ledgerOf))
  return ledgers
    .flat()
    .flatMap((event) => (event.type === 'called' ? event.calls : []))
    .filter(({ insteadBy }) => insteadBy === 'offline').length
}

const outage = async (house: House, count: number, forMs: number) => {
  await furnish(house)
  house.model.script(() => true, answer.status(503))
  const from = performance.now()
  const waiting = await askMany(house, count / 5, { policy: 'patient' })
  const ids = await askMany(house, count, { policy: 'simple' })
  await house.settled(
    'end or park',
    ids,
    ({ status, endedAt }) => status === 'parked' || endedAt !== undefined,
    120_000,
  )
  await pause(forMs - (performance.now() - from))
  const sent = house.model.calls('chat').length
  house.model.script(() => true, plainModel)
  const backAfter = await house.ended(waiting, 120_000)
  const runs = await house.load(waiting)
  return {
    sent,
    logical: await stoodIn(house, ids),
    answered: runs.filter((run) => run?.status === 'answered').length,
    waited: waiting.length,
    backAfter,
  }
}

export const L1: Row = {
  id: 'L1',
  promise:
    'a provider down under load: ≤ 1.2 calls sent per logical call; runs go on offline and are held, or come again and end',
  run: (scale) =>
    inHouse({ policies: [{ name: 'patient', extends: 'simple', lastRung: 'none' }] }, async (house) => {
      const [count, forMs] = scale === 'full' ? [100, 20_000] : [40, 3_000]
      const { sent, logical, answered, waited, backAfter } = await outage(house, count, forMs)
      return {
        holds: logical >= count && sent <= 1.2 * logical && answered === waited,
        figures: {
          runs: count,
          'logical calls': logical,
          sent,
          'sent ÷ logical': (sent / logical).toFixed(2),
          'came again and answered': `${answered}/${waited}`,
          'last of them after': seconds(backAfter),
        },
      }
    }),
}

const endless: Scripted[] = [
  answer.hang(),
  answer.status(503),
  answer.limited(1),
  answer.trickle({ everyMs: 300 }, 'word '.repeat(200)),
  answer.reset('before-headers'),
]

/** The tolerance for requests that were sent in time but arrive late on a busy machine. */
const onTheWayMs = 250

export const L6: Row = {
  id: 'L6',
  promise: 'a run with a short deadline on models that hang, fail, limit or trickle: no call after the run’s deadline',
  run: (scale) =>
    inHouse({ policies: [{ name: 'patient', extends: 'simple', lastRung: 'none' }] }, async (house) => {
      await furnish(house)
      const rounds = scale === 'full' ? endless : endless.slice(0, 2)
      let [runs, ended, calls, late] = [0, 0, 0, 0]
      for (const fault of rounds) {
        house.model.reset()
        house.model.script(() => true, fault)
        const ids = await askMany(house, 20, { policy: 'patient', deadlineMs: 2_000 })
        await house.ended(ids, 30_000)
        const deadline = Math.max(...(await house.load(ids)).map((run) => run?.deadlineAt ?? 0))
        await pause(2_000)
        runs += ids.length
        ended += (await house.load(ids)).filter((run) => run?.status === 'expired').length
        calls += house.model.calls('chat').length
        late += house.model.calls('chat').filter(({ receivedAt }) => receivedAt > deadline + onTheWayMs).length
      }
      return {
        holds: late === 0 && ended === runs && calls > 0,
        figures: { runs, expired: `${ended}/${runs}`, calls, 'calls after the deadline': late },
      }
    }),
}

const troubles: Record<string, Scripted> = {
  'is down': answer.status(500),
  'is slow': answer.hang(),
  'is limited': answer.limited(30),
  resets: answer.reset('before-headers'),
  'refuses its key': answer.status(401),
  'answers something else': answer.typed(),
}

export const L13: Row = {
  id: 'L13',
  promise: 'reranker down, slow, limited or strange: the answer still comes, and its trace says that it went without',
  run: () =>
    inHouse({ env: (model) => ({ COHERE_API_KEY: 'a-key', COHERE_BASE_URL: model.url }) }, async (house) => {
      await furnish(house)
      for (const [n, trouble] of Object.values(troubles).entries())
        house.model.script({ kind: 'rerank', text: new RegExp(`of ${places[n]}\\?`) }, trouble)
      const from = performance.now()
      const ids = await askMany(house, Object.keys(troubles).length, { policy: 'simple' })
      await house.settled(
        'end or park',
        ids,
        ({ status, endedAt }) => status === 'parked' || endedAt !== undefined,
        60_000,
      )
      const took = performance.now() - from
      const answered = (await house.load(ids)).filter((run) => run?.status === 'answered').length
      const ledgers = await Promise.all(ids.map(house.ledgerOf))
      const marked = ledgers.filter((ledger) =>
        ledger.some((event) => event.type === 'queried' && event.degraded?.includes('reranker')),
      ).length
      return {
        holds: answered === ids.length && marked === ids.length,
        figures: {
          troubles: ids.length,
          answered: `${answered}/${ids.length}`,
          marked: `${marked}/${ids.length}`,
          slowest: seconds(took),
        },
      }
    }),
}
