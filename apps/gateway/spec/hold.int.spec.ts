import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { claim, drafted, passage, ungrounded } from '@plumbline/flow/spec/run-fixtures.spec'
import { openHouse, withPolicy, type House, type ReportFields } from './house.spec'

const runs = 100
const atOnce = 25
// A word in drafts, claims, passages, grades and reviews of held answers. No response to an asker may contain it.
const mark = 'Zanzibar-4711'

let house: House
withPolicy('once-only', { maxRegenerations: 0, maxAugments: 0 })
withPolicy('fallback', { maxRegenerations: 0, maxAugments: 0, whenSpent: 'fallback' })
beforeAll(async () => {
  house = await openHouse({ apiKeys: 'asker-of-a:a:asker,reviewer-of-a:a:reviewer,admin-of-b:b:admin' })
})
afterAll(() => house.close())

const marked = { ...passage('p1'), title: `${mark} facts`, text: `Text of ${mark}.`, headingPath: [mark] }
const toUngrounded: ReportFields[] = [
  { taskId: 'route', kind: 'route', result: { outcome: 'research', logic: 'About planets.', collections: [] } },
  {
    taskId: 'plan',
    kind: 'plan',
    result: { outcome: 'planned', logic: 'One step.', steps: [{ question: 'What is it made of?', waitsFor: null }] },
  },
  {
    taskId: 'research.1.1',
    kind: 'research',
    result: {
      outcome: 'found',
      source: 'index',
      queries: [mark],
      reason: mark,
      resolved: `${mark}?`,
      passages: [marked],
    },
  },
  {
    taskId: 'grade-evidence.1.1',
    kind: 'grade-evidence',
    result: {
      outcome: 'graded',
      overall: 'correct',
      grades: [{ passageId: 'p1', relevant: true, level: 'high', confidence: 1, reason: mark }],
    },
  },
  drafted(1, `It is ${mark} [1].`),
  ungrounded(1, claim('unsupported', { text: `It is ${mark}.`, reason: `No passage says ${mark}.` })),
]

type Channel = (id: string) => Promise<string>
const asker = () => createClient({ url: house.url, key: 'asker-of-a' })
const reviewer = () => createClient({ url: house.url, key: 'reviewer-of-a' })
const authorization = 'Bearer asker-of-a'
const textOf = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${house.url}${path}`, { headers: { authorization, ...headers } }).then((answer) => answer.text())

const watch: Channel = (id) => textOf(`/v1/runs/${id}/events`)
const waiting: Channel = (id) =>
  fetch(`${house.url}/v1/runs`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', prefer: 'wait=30', 'idempotency-key': id },
    body: JSON.stringify({ question: 'What is Mars made of?', policy: 'once-only' }),
  }).then((answer) => answer.text())

describe('100 ungrounded runs, watched as an asker on every channel', () => {
  it('leaked no byte of draft, claims or passages', async () => {
    const seen: string[] = []
    const endings = ['reject', 'cancel', 'retry', 'fallback'] as const
    const one = async (n: number): Promise<void> => {
      const ending = endings[n % endings.length]
      const key = `run-${n}`
      const { id } = await asker().ask(
        { question: 'What is Mars made of?', policy: ending === 'fallback' ? 'fallback' : 'once-only' },
        { idempotencyKey: key },
      )
      const channels = [watch(id), ...(ending === 'fallback' ? [] : [waiting(key)])]
      await house.report(id, ...toUngrounded)
      seen.push(
        await textOf(`/v1/runs/${id}`),
        await textOf(`/v1/runs/${id}/events?audience=desk`),
        await textOf(`/v1/reviews/${id}`),
        await textOf(`/v1/runs/${id}?audience=desk`),
      )
      const about = { taskId: 'review.1', decisionId: key, note: mark }
      if (ending === 'reject') await reviewer().decide(id, { ...about, action: 'reject' })
      if (ending === 'cancel') await asker().cancel(id)
      if (ending === 'retry') {
        await reviewer().decide(id, { ...about, action: 'retry', guidance: mark })
        seen.push(await textOf(`/v1/runs/${id}`))
        await house.report(id, drafted(2, `It is ${mark} [1].`), ungrounded(2))
        await reviewer().decide(id, { ...about, taskId: 'review.2', decisionId: `${key}-2`, action: 'reject' })
      }
      seen.push(...(await Promise.all(channels)), await textOf(`/v1/runs/${id}`))
    }
    for (let n = 0; n < runs; n += atOnce) await Promise.all(Array.from({ length: atOnce }, (_, k) => one(n + k)))
    seen.push(await textOf('/v1/runs?limit=100'), await textOf('/metrics'), await textOf('/v1/reviews'))

    expect(seen.filter((text) => text.includes(mark))).toEqual([])
    // Reviewers do get the word many times, so the test would detect a leak.
    const { id } = await asker().ask({ question: 'What is Mars made of?', policy: 'once-only' })
    await house.report(id, ...toUngrounded)
    expect(JSON.stringify(await reviewer().review(id)).split(mark).length).toBeGreaterThan(8)
    const ended = (await asker().runs({ limit: 100 })).items.map((run) => run.status)
    expect(new Set(ended)).toEqual(new Set(['parked', 'rejected', 'cancelled', 'unanswered']))
  }, 300_000)
})
