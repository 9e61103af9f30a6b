import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ask, RunView } from '@plumbline/contracts'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { plainModel } from '@plumbline/testing/scripted-model/plain-model'
import { openHouse, type House } from './house'

const skerry = (metres: number): string =>
  `# Skerry\n\nThe lighthouse of Skerry is ${metres} metres high. It was lit for the first time in 1887.`

let server: ModelServer
let house: House
beforeAll(async () => {
  server = await startModelServer()
  server.script({ kind: 'chat' }, plainModel)
  house = await openHouse({
    env: {
      OPENAI_BASE_URL: server.openaiUrl,
      OPENAI_API_KEY: 'a-key',
      EMBEDDING_BASE_URL: server.openaiUrl,
      EMBEDDING_API_KEY: 'a-key',
      EMBEDDING_MODEL: 'text-embedding-3-small',
      CACHE: 'answers',
    },
  })
  await house.add('Skerry', skerry(31), 'islands')
})
afterAll(async () => {
  await house.close()
  await server.close()
})

const ask = (question: string, more: Partial<Ask> = {}): Promise<RunView> =>
  house.client.ask({ question, collection: 'islands', ...more }, { waitSeconds: 30 })
const traceOf = async ({ id }: RunView): Promise<string> =>
  (await house.client.run(id, { audience: 'desk' })).trace?.join('\n') ?? ''
/** Asks until the answer comes from the cache, because a slow cache on a busy machine is bypassed. */
const untilKnown = async (asked: string, more: Partial<Ask> = {}): Promise<RunView> => {
  const runs: RunView[] = []
  await expect
    .poll(async () => (runs.push(await ask(asked, more)), runs.at(-1)?.reason), { timeout: 20_000 })
    .toBe('answered.known')
  return runs.at(-1)!
}
const question = 'What is the height of the lighthouse of Skerry?'

describe('the answer cache', () => {
  it('an answer is given again to just the same question, marked, with its citations and claims, and forgotten when a document changes', async () => {
    const first = await ask(question)
    expect(first).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(first.answer?.text).toContain('31 metres')
    const again = await untilKnown(' What is the height of the  lighthouse of Skerry?')
    expect(again).toMatchObject({
      status: 'answered',
      reason: 'answered.known',
      answer: { text: first.answer?.text, cached: { runId: first.id, at: first.timings.endedAt } },
      grounding: first.grounding,
    })
    expect(again.answer?.citations).toEqual(first.answer?.citations)
    expect(await traceOf(again)).not.toContain(' search: ')
    await house.add('Skerry of late', skerry(33), 'islands')
    const later = await ask(question)
    expect(later.answer?.cached).toBeUndefined()
    expect(later.reason).not.toBe('answered.known')
  })

  it('an answer is not given to another reader, under another policy, or where a fact differs; in a thread as it stands alone', async () => {
    const lit = 'When was the lighthouse of Skerry lit for the first time?'
    expect((await ask(lit)).reason).toBe('answered.checked')
    await untilKnown(lit)
    const threadId = 'a-thread'
    await ask('What is Skerry?', { threadId })
    await untilKnown(lit, { threadId })
    for (const run of [
      await ask(lit, { access: ['hr'] }),
      await ask(lit, { policy: 'adaptive' }),
      await ask('When was the lighthouse of skerry lit for the first time?'),
    ])
      expect(run.answer?.cached).toBeUndefined()
  })

  it('results of a query are found again, and the trace says so', async () => {
    const lit = 'In which year was the lighthouse of Skerry lit?'
    await ask(lit, { policy: 'agentic' })
    await expect
      .poll(async () => traceOf(await ask(lit, { policy: 'agentic' })), { timeout: 20_000 })
      .toMatch(/ search: .* \(\d from the cache\)/)
  })

  it('quotes are not: a repeated question is answered from the current documents', async () => {
    const reader = await openHouse({
      env: {
        EMBEDDING_BASE_URL: server.openaiUrl,
        EMBEDDING_API_KEY: 'a-key',
        EMBEDDING_MODEL: 'text-embedding-3-small',
        CACHE: 'answers',
      },
    })
    await reader.add('Skerry', skerry(31), 'islands')
    for (let asked = 0; asked < 3; asked += 1) {
      const run = await reader.client.ask({ question, collection: 'islands' }, { waitSeconds: 30 })
      expect(run).toMatchObject({ status: 'answered', reason: 'answered.quoted' })
      expect(run.answer?.cached).toBeUndefined()
    }
    await reader.close()
  })
})
