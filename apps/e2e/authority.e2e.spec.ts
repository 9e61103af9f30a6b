import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import type { ModelRequest } from '@plumbline/testing/model-server/request'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { agreeing, scriptOf } from '@plumbline/testing/scripted-model/plain-model'
import { promptTo, readPrompt, type ShownPassage } from '@plumbline/testing/scripted-model/prompt-content'
import { openHouse, type House } from './house'

const question = 'How many days of parental leave are there?'
const [now, planned] = ['Parental leave is 30 days.', 'Parental leave is 45 days.']

/** A model that learns the authority of a passage only from the lines above its text in the prompt. */
const modelClaiming = (days: string) => (asked: ModelRequest) => {
  const { passages } = readPrompt(asked.kind === 'chat' ? promptTo(asked) : '')
  const numberOf = (has: (passage: ShownPassage) => boolean): number | undefined => passages.find(has)?.n
  const own = numberOf(({ body }) => body.includes(days))
  const other = numberOf(({ body }) => !body.includes(days))
  const claim = {
    ...{ claim: 1, verdict: 'unsupported', reason: 'The documents give two numbers.' },
    ...{ passage: own, conflictsWith: other },
  }
  const lowAuthority = passages.filter(({ head }) => head.endsWith('\ndraft')).map(({ n }) => n)
  return scriptOf(
    [
      { name: 'answer', when: question, answer: `There are ${days} days of parental leave [${own}].` },
      { name: 'check', when: question, answer: { claims: [claim], lowAuthority } },
    ],
    agreeing,
  )(asked)
}

describe('a claim from one of two documents that disagree', { timeout: 60_000 }, () => {
  let server: ModelServer
  let house: House
  beforeAll(async () => {
    server = await startModelServer()
    house = await openHouse({ env: { OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: 'a-key' } })
    await house.add('Handbook', now, 'marked')
    await house.add('Handbook of next year', planned, 'marked', { authority: 'draft' })
    await house.add('Handbook', now, 'unmarked')
    await house.add('Handbook of next year', planned, 'unmarked')
  })
  afterAll(async () => {
    await house.close()
    await server.close()
  })

  const held = async (days: string, collection: string): Promise<RunView> => {
    server.script({ kind: 'chat' }, modelClaiming(days))
    const { id } = await house.client.ask({ question, collection, policy: 'simple' })
    for await (const { type } of house.client.events(id)) if (type === 'parked' || type === 'ended') break
    expect(server.faults).toEqual([])
    return house.client.run(id, { audience: 'desk' })
  }
  const reasonOf = ({ grounding }: RunView) => grounding?.claims.map(({ reason }) => reason)
  const weaker = 'It rests only on the weaker of two passages that disagree. The documents give two numbers.'

  it('is held for this reason if the metadata of its document says draft', async () => {
    const run = await held('45', 'marked')
    expect(run).toMatchObject({ status: 'parked', reason: 'parked.conflict' })
    expect(reasonOf(run)).toEqual([weaker])
    expect((await house.client.run(run.id)).answer).toBeUndefined()
  })

  it('is not called weaker if the other document is the draft, or if no metadata states an authority', async () => {
    for (const [days, collection] of [
      ['30', 'marked'],
      ['45', 'unmarked'],
    ] as const)
      expect(reasonOf(await held(days, collection))).toEqual(['The documents give two numbers.'])
  })
})
