import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ModelCall, RunView } from '@plumbline/contracts'
import { answer } from '@plumbline/testing/model-server/answer'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { agreeing, plainModel, scriptOf } from '@plumbline/testing/scripted-model/plain-model'
import { promptTo, readPrompt } from '@plumbline/testing/scripted-model/prompt-content'
import { openHouse, type House } from './house'

const skerry = `# Skerry\n\nThe lighthouse of Skerry is 31 metres high. It was lit for the first time in 1887. The island of Skerry belongs to the county of Orm.
\n# Orm\n\nThe county of Orm has 4,200 inhabitants. Its capital is Vardby.`

let server: ModelServer
let house: House
beforeAll(async () => {
  server = await startModelServer({ models: ['small-one', 'strong-one'] })
  house = await openHouse({
    env: {
      OPENAI_BASE_URL: server.openaiUrl,
      OPENAI_API_KEY: 'a-key',
      MODEL_SMALL: 'gpt-4.1-mini',
      MODEL_STRONG: 'gpt-4.1',
    },
  })
  await house.add('Skerry', skerry, 'islands')
})
afterEach(() => server.reset())
afterAll(async () => {
  await house.close()
  await server.close()
})

/** Without early drafts, because the usage of a run does not contain the calls of an early draft that was dropped. */
const ask = (question: string, more: { policy?: string } = {}): Promise<RunView> =>
  house.client.ask({ question, collection: 'islands', releaseBySentence: 'off', ...more }, { waitSeconds: 30 })
const calledIn = async (id: string): Promise<ModelCall[]> => {
  const calls: ModelCall[] = []
  for await (const event of house.client.events(id, { audience: 'desk' }))
    if (event.type === 'called') calls.push(...event.calls)
  return calls
}

describe('a run on models', () => {
  it('asks the server that is set and nobody else: every call is in its record, valid, and in the usage of the run', async () => {
    server.script(() => true, plainModel)
    const run = await ask('How high is the lighthouse of Skerry, and how many inhabitants has the county of Orm?')
    expect(run).toMatchObject({
      status: 'answered',
      reason: 'answered.checked',
      skills: `gpt-4.1-mini + gpt-4.1 at ${new URL(server.url).host}`,
    })
    expect(run.answer?.text).toMatch(/31 metres/)
    expect(run.answer?.text).toMatch(/4,200/)
    const chats = server.calls('chat')
    expect(server.faults).toEqual([])
    expect(chats.every(({ authorized }) => authorized)).toBe(true)
    expect(run.usage.calls).toBe(chats.length)
    expect(run.usage.tokensIn).toBe(chats.reduce((sum, { usage }) => sum + (usage?.prompt ?? 0), 0))
    expect(run.usage.tokensOut).toBe(chats.reduce((sum, { usage }) => sum + (usage?.completion ?? 0), 0))
    expect(run.usage.cents).toBeGreaterThan(0)
    const calls = await calledIn(run.id)
    expect(calls.reduce((sum, { usage }) => sum + usage.calls, 0)).toBe(chats.length)
    expect(calls.map(({ prompt }) => prompt)).toEqual(
      expect.arrayContaining(['route@5', 'plan@5', 'answer@5', 'check@7']),
    )
    expect((await house.client.usage()).usage.calls).toBeGreaterThanOrEqual(chats.length)
  })

  it('of the simple policy takes one call before its check', async () => {
    server.script(() => true, plainModel)
    const run = await ask('How high is the lighthouse of Skerry?', { policy: 'simple' })
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    const skills = (await calledIn(run.id)).map(({ skill, usage }) => `${skill} ${usage.calls}`)
    expect(skills[0]).toBe('answer 1')
    expect(skills.slice(1).every((skill) => skill === 'check 1')).toBe(true)
  })

  it('costs three calls in sequence for a plain question', async () => {
    server.script(() => true, plainModel)
    const run = await ask('How high is the lighthouse of Skerry?')
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect((await calledIn(run.id)).map(({ skill, usage }) => `${skill} ${usage.calls}`)).toEqual([
      'route 1',
      'answer 1',
      'check 1',
    ])
  })

  it('releases the example of the answer prompt, a figure behind a year, in one draft', async () => {
    await house.add('Report 2021', '# Report 2021\n\nThe yard stored 400 tonnes in May 2022.', 'yard')
    await house.add('Press release', '# Press release\n\nOf May 2022: the yard stored 520 tonnes.', 'yard')
    const question = 'How many tonnes did the yard store in May 2022?'
    const written = ({ passages }: ReturnType<typeof readPrompt>): string => {
      const cite = (word: string): string => `[${passages.find(({ body }) => body.includes(word))?.n ?? '?'}]`
      return `The 2021 report gives 400 tonnes ${cite('400')}, the press release of May 2022 520 tonnes ${cite('520')}.`
    }
    server.script({ kind: 'chat' }, (asked) =>
      scriptOf([{ name: 'answer', when: question, answer: written(readPrompt(promptTo(asked))) }], agreeing)(asked),
    )
    const run = await house.client.ask({ question, collection: 'yard', policy: 'simple' }, { waitSeconds: 30 })
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(run.answer?.text).toMatch(/400 tonnes \[\d\], the press release of May 2022 520 tonnes \[\d\]\.$/)
    expect((await calledIn(run.id)).map(({ skill }) => skill)).toEqual(['answer', 'check'])
  })

  it('whose checker is down is held, because no model checked it', async () => {
    server.script(() => true, plainModel)
    server.script('check', answer.status(503))
    const question = 'How many inhabitants has the county of Orm?'
    const { id } = await house.client.ask({ question, collection: 'islands' })
    for await (const event of house.client.events(id, { audience: 'desk' })) if (event.type === 'parked') break
    const view = await house.client.run(id, { audience: 'desk' })
    expect(view).toMatchObject({ status: 'parked', reason: 'parked.checked-offline' })
    expect(view.trace?.some((line) => line.includes('check by offline, offline instead'))).toBe(true)
    expect(JSON.stringify(await house.client.run(id))).not.toContain('4,200')
  })

  // This spec is the last, because the failed calls open the circuit breaker of the provider.
  it('that is down quotes the documents, and says that a model should have written', async () => {
    server.script(() => true, answer.status(503))
    const run = await ask('How high is the lighthouse of Skerry?')
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.quoted', answer: { kind: 'quoted' } })
    expect(run.answer?.quotes?.map(({ text }) => text).join()).toContain('31 metres')
    const { trace = [] } = await house.client.run(run.id, { audience: 'desk' })
    expect(trace.some((line) => line.includes('answer by offline, offline instead'))).toBe(true)
  })
})
