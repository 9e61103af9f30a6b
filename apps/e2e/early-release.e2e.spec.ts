import type { StreamEvent } from '@plumbline/contracts'
import { type ModelServer, startModelServer } from '@plumbline/testing/model-server/model-server'
import { scriptOf } from '@plumbline/testing/scripted-model/plain-model'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type House, openHouse } from './house'

const text =
  'The Skerry ferry sails at 08:00. It carries 240 passengers. A return ticket costs 12 euros. Dogs travel free. Bicycles cost 3 euros.'
const sentences = [
  'The Skerry ferry sails at 08:00 [1].',
  'It carries 240 passengers [1].',
  'A return ticket costs 12 euros [1].',
  'Dogs travel free [1].',
]

let model: ModelServer
let house: House
beforeAll(async () => {
  model = await startModelServer()
  house = await openHouse({
    env: { OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: model.openaiUrl, MODEL_SMALL: 'gpt-4.1-mini', MODEL_STRONG: 'gpt-4.1' },
  })
  await house.add('Ferry', text, 'ferries')
})
afterAll(async () => {
  await house?.close()
  await model?.close()
})
beforeEach(() => model.reset())

const scripted = (draft: string) => {
  model.script({ kind: 'chat' }, scriptOf([{ name: 'answer', when: /./, answer: draft }]))
  model.pace({ firstTokenMs: 50, tokensPerSecond: 40 }, { kind: 'chat', model: 'gpt-4.1' })
}
const eventsOf = async (question: string): Promise<StreamEvent[]> => {
  const { id } = await house.client.ask({ question, collection: 'ferries' })
  const events: StreamEvent[] = []
  for await (const event of house.client.events(id)) {
    events.push(event)
    if (event.type === 'ended' || event.type === 'parked') break
  }
  return events
}

it('releases checked sentences while the rest is written', async () => {
  scripted(sentences.join(' '))
  const events = await eventsOf('When does the Skerry ferry sail, and what does it cost?')
  const checked = events.filter((event) => event.type === 'checked')
  const ended = events.find((event) => event.type === 'ended')
  console.log(events.map(({ type, ...rest }) => [type, rest.at, rest.text, rest.answer?.text]), model.requests.map((r) => r.name))
  expect(checked.length).toBeGreaterThan(0)
  expect(ended?.answer?.text.startsWith(checked.map(({ text }) => text).join(''))).toBe(true)
})
