import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { createLog } from '@plumbline/platform'
import { allStages } from '@plumbline/stages/all'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { answer } from '@plumbline/testing/model-server/answer'
import { plainModel } from '@plumbline/testing/scripted-model/plain-model'
import { generatorWriting } from './generator-writing'
import { openHouse, type House } from './house'
import { boundMemory, type Kind, startChosen } from './redis-kinds'

/** A made-up word, so that a log line can contain it only if user text is logged. */
const canary = 'Quillvardby'
const about = (what: string): string => `How high is the lighthouse of ${canary}, ${what}?`
const lines: string[] = []
const log = createLog({ app: 'house', level: 'info', destination: { write: (line) => void lines.push(line) } })
const hears = (part: string) => expect.poll(() => lines.filter((line) => line.includes(part)).length).toBeGreaterThan(0)

let house: House
let kind: Kind
let model: ModelServer
/** Writes drafts that no passage supports, so that they are held. */
const boaster = generatorWriting(() => `The lighthouse of ${canary} is 93 metres high [1].`)
const stages = Object.values({ ...allStages, generator: boaster })

beforeAll(async () => {
  model = await startModelServer({ validate: false })
  model.script(() => true, plainModel)
  kind = await startChosen()
  house = await openHouse({
    redis: kind,
    stages,
    log,
    env: {
      LOG_LEVEL: 'info',
      OPENAI_BASE_URL: model.openaiUrl,
      OPENAI_API_KEY: 'a-key',
      MODEL_SMALL: 'gpt-4.1-mini',
      MODEL_STRONG: 'gpt-4.1',
    },
  })
})
afterAll(async () => {
  await house.close()
  await model.close()
})

const settled = async (id: string): Promise<RunView> => {
  for (;;) {
    const view = await house.client.run(id)
    if (view.status === 'parked' || view.timings.endedAt !== undefined) return view
    await wait(20)
  }
}

it('no line of a log and no metric says what was asked, uploaded, drafted or decided, whatever goes wrong', async () => {
  const { client, url } = house
  await house.add(canary, `The lighthouse of ${canary} is 31 metres high.`, 'islands')
  const unread = new Blob([`%PDF-1.7 ${canary}`])
  const { id: bad } = await client.uploadDocument(unread, `${canary}.pdf`, { collection: 'islands' })
  for await (const { status } of client.documentEvents(bad)) if (status === 'failed') break

  const { id } = await client.ask({ question: about('in metres'), collection: 'islands', metadata: { place: canary } })
  const held = await settled(id)
  expect(held.status).toBe('parked')
  const decision = { taskId: held.review?.taskId ?? '', decisionId: 'd', action: 'reject' as const, note: canary }
  expect((await client.decide(id, decision)).status).toBe('rejected')

  // The model provider returns an error message that repeats the question.
  model.script({ kind: 'chat' }, answer.status(400, {}, { message: `Not allowed: ${about('refused')}` }))
  const refused = await client.ask({ question: about('refused'), collection: 'islands' })
  await settled(refused.id)
  model.script({ kind: 'chat' }, answer.status(500, {}, { message: `Broken: ${about('down')}` }))
  await client.ask({ question: about('down'), collection: 'islands' })
  await hears('"provider"')

  // Redis runs out of memory, and rejects commands that contain the question.
  await boundMemory(kind, '1mb')
  await expect(client.ask({ question: about('full') })).rejects.toMatchObject({ problem: { status: 503 } })
  await expect(client.feedback(id, { useful: false, note: about('said') })).rejects.toMatchObject({
    problem: { status: 503 },
  })
  await expect(client.addDocument({ title: canary, text: canary })).rejects.toMatchObject({ problem: { status: 503 } })
  // The log drops lines beyond ten a second, and the workers log failures too, so the question is asked repeatedly.
  const isLogged = async (): Promise<boolean> => {
    await client.ask({ question: about('full') }).catch(() => undefined)
    return lines.some((line) => line.includes('answered 503'))
  }
  await expect.poll(isLogged).toBe(true)
  await boundMemory(kind, '0')

  const metrics = [await (await fetch(`${url}/metrics`)).text(), await house.metrics()]
  expect(metrics.map((text) => text.includes('plumbline_'))).toEqual([true, true])
  expect([...lines, ...metrics].filter((text) => text.includes(canary))).toEqual([])
}, 60_000)
