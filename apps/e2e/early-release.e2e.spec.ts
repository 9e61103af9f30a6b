import type { RunView, StreamEvent } from '@plumbline/contracts'
import { answer } from '@plumbline/testing/model-server/answer'
import { type ModelServer, startModelServer } from '@plumbline/testing/model-server/model-server'
import type { ModelRequest } from '@plumbline/testing/model-server/request'
import { plainModel, scriptOf } from '@plumbline/testing/scripted-model/plain-model'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type House, openHouse } from './house'

const text =
  'The Skerry ferry sails at 08:00. It carries 240 passengers. A return ticket costs 12 euros. Dogs travel free. Bicycles cost 3 euros.'
const sails = 'The Skerry ferry sails at 08:00 [1].'
const carries = 'It carries 240 passengers [1].'
const costs = 'A return ticket costs 12 euros [1].'
const dogs = 'Dogs travel free [1].'
const invented = 'Breakfast is included in the price of every ticket [1].'
const question = 'When does the Skerry ferry sail?'

let model: ModelServer
let house: House
beforeAll(async () => {
  model = await startModelServer()
  house = await openHouse({
    env: {
      OPENAI_API_KEY: 'a-key',
      OPENAI_BASE_URL: model.openaiUrl,
      MODEL_SMALL: 'gpt-4.1-mini',
      MODEL_STRONG: 'gpt-4.1',
    },
  })
  await house.add('Ferry', text, 'ferries')
})
afterAll(async () => {
  await house?.close()
  await model?.close()
})
beforeEach(() => model.reset())

/** Matches the calls that write a draft. Only their answers have no name. */
const isWriting = ({ kind, name }: ModelRequest): boolean => kind === 'chat' && name === undefined
const slowly = { firstTokenMs: 20, tokensPerSecond: 25 }
/** Makes the model write these drafts slowly, one after another, and check them honestly and fast. */
const writes = (...drafts: string[]): void => {
  model.script(
    { kind: 'chat' },
    scriptOf([
      ...drafts.slice(1).map((draft) => ({ name: 'answer', when: /<<did not stand|<<sent/, answer: draft })),
      { name: 'answer', when: /./, answer: drafts[0] },
      { name: 'plan', when: /./, answer: { steps: [{ question, waitsFor: null, queries: ['ferry sails'] }] } },
    ]),
  )
  model.pace(slowly, isWriting)
}
let firstShown = Promise.withResolvers<void>()
/** Like `writes`, but no draft ends before the first checked sentence is shown. */
const writesUntilShown = (...drafts: string[]): void => {
  writes(...drafts)
  firstShown = Promise.withResolvers()
  model.pace({ ...slowly, ends: firstShown.promise }, isWriting)
}
const told = async (events: AsyncGenerator<StreamEvent>): Promise<StreamEvent[]> => {
  const all: StreamEvent[] = []
  for await (const event of events) {
    all.push(event)
    if (event.type === 'checked') firstShown.resolve()
    if (event.type === 'ended' || event.type === 'parked') break
  }
  return all
}
const asked = async (more: object = {}): Promise<{ events: StreamEvent[]; run: RunView }> => {
  const { id } = await house.client.ask({ question, collection: 'ferries', ...more })
  const events = await told(house.client.events(id))
  return { events, run: await house.client.run(id) }
}
const shownIn = (events: StreamEvent[]): string =>
  events.flatMap((event) => (event.type === 'checked' ? [event.text] : [])).join('')
const namesOf = () => model.calls('chat').map(({ name }) => name ?? 'text')

describe('an answer that is released sentence by sentence', () => {
  it('shows each sentence after its check, and the whole answer begins with them', async () => {
    writesUntilShown([sails, carries, costs, dogs].join(' '))
    const { events, run } = await asked()
    const types = events.map(({ type }) => type)
    expect(types.indexOf('checked')).toBeGreaterThan(types.indexOf('writing'))
    expect(types.indexOf('checked')).toBeLessThan(types.indexOf('checking'))
    const shown = shownIn(events)
    expect(shown.startsWith(sails)).toBe(true)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(run.answer?.text).toBe([sails, carries, costs, dogs].join(' '))
    expect(run.answer?.text.startsWith(shown)).toBe(true)
    expect(run.partial).toBeUndefined()
    const [first] = events.filter((event) => event.type === 'checked')
    expect(first?.citations).toMatchObject([{ n: 1, title: 'Ferry' }])
    // One check of the whole draft judges the sentences that were not yet checked in parts.
    expect(namesOf().filter((name) => name === 'check')).toHaveLength(1)
  })

  it('shows nothing of a sentence that is not supported, nor what follows it, and keeps what it has shown', async () => {
    writesUntilShown([sails, invented, costs, dogs].join(' '), costs)
    const { events, run } = await asked()
    expect(shownIn(events)).toBe(sails)
    expect(JSON.stringify(events.filter(({ type }) => type !== 'ended'))).not.toContain('Breakfast')
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(run.answer?.text).toBe(`${sails}\n\n${costs}`)
  })

  it('holds the rest for a reviewer if it never passes, and says that the shown part is incomplete', async () => {
    writesUntilShown([sails, invented, dogs].join(' '), invented)
    const { events, run } = await asked()
    expect(shownIn(events)).toBe(sails)
    expect(run).toMatchObject({ status: 'parked', partial: { text: sails, state: 'incomplete' } })
    expect(JSON.stringify(run)).not.toContain('Breakfast')
    const { draft } = await house.client.review(run.id)
    expect(draft.text.startsWith(sails)).toBe(true)
  })

  it('writes while the router decides, and shows it once the route is known', async () => {
    const draft = [sails, carries, costs, dogs].join(' ')
    writesUntilShown(draft)
    // The route is known only after the early writer has begun.
    const begun = model.until((calls) => calls.some(({ kind, name }) => kind === 'chat' && name === undefined))
    model.script({ kind: 'chat', name: 'route' }, async (asked) => (await begun, plainModel(asked)))
    model.pace({ firstTokenMs: 500, tokensPerSecond: 1_000 }, { kind: 'chat', name: 'route' })
    const { events, run } = await asked()
    const types = events.map(({ type }) => type)
    expect(types.indexOf('writing')).toBeLessThan(types.indexOf('routed'))
    expect(types.indexOf('checked')).toBeGreaterThan(types.indexOf('routed'))
    expect(types.indexOf('checked')).toBeLessThan(types.indexOf('checking'))
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', answer: { text: draft } })
    expect(namesOf().filter((name) => name === 'text')).toHaveLength(1)
  })

  it('stops the early writer, and shows nothing of it, if the route is another one', async () => {
    writes([sails, invented, dogs].join(' '))
    model.script(
      { kind: 'chat', name: 'route' },
      answer.json({ to: 'decline', simple: false, queries: [], note: null }),
    )
    model.pace({ firstTokenMs: 500, tokensPerSecond: 1_000 }, { kind: 'chat', name: 'route' })
    model.pace({ firstTokenMs: 20, tokensPerSecond: 5 }, isWriting)
    const { events, run } = await asked()
    expect(events.map(({ type }) => type)).toContain('writing')
    expect(shownIn(events)).toBe('')
    expect(JSON.stringify(events)).not.toContain('ferry sails')
    expect(run).toMatchObject({ status: 'declined' })
    await model.until((calls) => calls.some(({ name, outcome }) => name === undefined && outcome === 'aborted'))
  })

  it('gives the same bytes to a second reader and after an interruption', async () => {
    writesUntilShown([sails, carries, costs, dogs].join(' '))
    const { id } = await house.client.ask({ question, collection: 'ferries' })
    const [one, other] = await Promise.all([told(house.client.events(id)), told(house.client.events(id))])
    expect(one).toEqual(other)
    expect(await told(house.client.events(id))).toEqual(one)
  })

  it('shows nothing early if the ask, its policy or its class does not allow it', async () => {
    const draft = [sails, carries, costs, dogs].join(' ')
    writes(draft)
    const asks = [{ policy: 'simple' }, { policy: 'corrective' }, { class: 'batch' }, { releaseBySentence: 'off' }]
    await Promise.all(
      asks.map(async (more) => {
        const { events, run } = await asked(more)
        expect([more, shownIn(events)]).toEqual([more, ''])
        expect(run.answer?.text).toBe(draft)
      }),
    )
    expect(namesOf()).not.toContain('check-part')
  })
})
