import type { ModelCall } from '@plumbline/contracts'
import { chatOverHttp } from '@plumbline/testing/chat-over-http'
import { answer } from '@plumbline/testing/model-server/answer'
import { type ModelServer, startModelServer } from '@plumbline/testing/model-server/model-server'
import { messagesOf } from '@plumbline/testing/scripted-model/prompt-content'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { askModel, askText, inParallel, type ModelOf, type TextResult } from './ask-model'
import { askMalformed, good, prompt, schema } from './malformed.spec'
import { withOfflineFallback } from './offline-fallback'
import type { Call, Skill } from './skill'

let server: ModelServer
let chat: ModelOf
beforeAll(async () => {
  server = await startModelServer()
  chat = () => chatOverHttp(server.openaiUrl)
})
afterEach(() => {
  expect(server.faults).toEqual([])
  server.reset()
})
afterAll(() => server.close())

const callWith = (fields: Partial<Call> = {}): Call => ({
  signal: new AbortController().signal,
  tier: 'small',
  temperature: 0.2,
  ...fields,
})
const asking = (fields: Partial<Call> = {}) => ({
  chat,
  skill: 'plan' as const,
  prompt,
  input: 'Mars has two.',
  call: callWith(fields),
})

describe('askModel', () => {
  it('returns a value, and reports its cost and its prompt', async () => {
    server.script('count', answer.json(good))
    const told: ModelCall[] = []
    expect(await askModel({ ...asking({ onCall: (call) => void told.push(call) }), schema })).toEqual({
      kind: 'answered',
      value: good,
      fault: null,
    })
    expect(told).toMatchObject([{ skill: 'plan', model: 'gpt-4.1', prompt: 'count@3', usage: { calls: 1 } }])
    expect(server.calls('chat')[0]?.body).toMatchObject({
      temperature: 0.2,
      max_tokens: 50,
      response_format: { json_schema: { name: 'count', strict: true } },
    })
  })

  it('reads JSON inside a code fence', async () => {
    server.script('count', `\`\`\`json\n${JSON.stringify(good)}\n\`\`\``)
    expect(await askModel({ ...asking(), schema })).toMatchObject({ value: good })
    expect(server.calls('chat')).toHaveLength(1)
  })

  it.each([
    ['Two moons.', /not JSON/],
    ['', /empty/],
    ['{"moons":"two","of":null}', /moons/],
    ['{"moons":-1,"of":null}', /moons/],
    ['{"moons":2}', /of/],
    ['[]', /schema/],
  ])('repairs %s once, and shows the model its answer and the fault', async (said, fault) => {
    server.script('count', said, answer.json(good))
    expect(await askModel({ ...asking(), schema })).toMatchObject({ value: good })
    const [first, second, ...more] = server.calls('chat').map(messagesOf)
    expect(more).toEqual([])
    expect(second?.slice(0, 2)).toEqual(first)
    expect(second?.[2]).toEqual({ role: 'assistant', content: said === '' ? '(nothing)' : said })
    expect(second?.[3]).toMatchObject({ role: 'user', content: expect.stringMatching(fault) })
  })

  it('throws a typed error after one repair, and reports both calls', async () => {
    server.script('count', 'Two.', 'Still two.', answer.json(good))
    const told: ModelCall[] = []
    const asked = askModel({ ...asking({ onCall: (call) => void told.push(call) }), schema })
    await expect(asked).rejects.toMatchObject({
      code: 'model.malformed',
      retry: 'never',
      cause: { message: expect.stringContaining('count: It is not JSON') },
    })
    expect(told).toHaveLength(2)
  })

  it('repairs a fault that the skill finds, and returns the fault if the repair fails', async () => {
    const faultIn = ({ moons }: { moons: number }): string | null => (moons === 2 ? null : 'Mars has two.')
    server.script('count', answer.json({ ...good, moons: 3 }), answer.json(good))
    expect(await askModel({ ...asking(), schema, faultIn })).toEqual({ kind: 'answered', value: good, fault: null })
    server.script('count', answer.json({ ...good, moons: 3 }), answer.json({ ...good, moons: 4 }))
    expect(await askModel({ ...asking(), schema, faultIn })).toMatchObject({
      value: { moons: 4 },
      fault: 'Mars has two.',
    })
    server.script('count', answer.json({ ...good, moons: 3 }), 'Never mind.')
    expect(await askModel({ ...asking(), schema, faultIn })).toMatchObject({
      value: { moons: 3 },
      fault: 'Mars has two.',
    })
    expect(server.calls('chat')).toHaveLength(6)
  })

  it('returns a refusal as an outcome, before and after a repair', async () => {
    server.script('count', answer.refused('I will not.'))
    expect(await askModel({ ...asking(), schema })).toEqual({ kind: 'refused', reason: 'I will not.' })
    server.script('count', 'Well …', answer.refused('I will not.'))
    expect(await askModel({ ...asking(), schema })).toEqual({ kind: 'refused', reason: 'I will not.' })
  })

  it('makes no more calls after the signal aborts', async () => {
    const stop = new AbortController()
    server.script('count', () => {
      stop.abort()
      return 'Two.'
    })
    await expect(askModel({ ...asking({ signal: stop.signal }), schema })).rejects.toMatchObject({ name: 'AbortError' })
    await expect(askModel({ ...asking({ signal: stop.signal }), schema })).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.calls('chat')).toHaveLength(1)
  })
})

describe('500 malformed outputs', () => {
  it('each end in a typed error after one repair, never in an empty value', async () => {
    const { codes, values, sent, told } = await askMalformed(server, chat, 500, 'never')
    expect(values).toEqual([])
    expect(codes.filter((code) => code === 'model.malformed')).toHaveLength(500)
    expect([sent, told]).toEqual([1_000, 1_000])
  })

  it('each become a value if the repair is good', async () => {
    const { values, sent } = await askMalformed(server, chat, 500, 'good')
    expect(values).toEqual(Array.from({ length: 500 }, () => ({ kind: 'answered', value: good, fault: null })))
    expect(sent).toBe(1_000)
  })
})

describe('askText', () => {
  const faultIn = (text: string) => Promise.resolve(/\[1\]/.test(text) ? null : 'It cites nothing.')

  it('repairs text once, and returns it even if the fault remains', async () => {
    server.script(/Count/, 'Two.', 'Two [1].')
    expect(await askText({ ...asking(), faultIn })).toEqual({ kind: 'answered', text: 'Two [1].' })
    server.script(/Count/, 'Two.', 'Three.')
    expect(await askText({ ...asking(), faultIn })).toEqual({ kind: 'answered', text: 'Three.' })
    server.script(/Count/, 'Two.', '')
    expect(await askText({ ...asking(), faultIn })).toEqual({ kind: 'answered', text: 'Two.' })
  })

  it('never repairs streamed text', async () => {
    server.script(/Count/, 'Two.')
    let seen = ''
    expect(await askText({ ...asking(), faultIn, onDelta: (piece) => (seen += piece) })).toEqual({
      kind: 'answered',
      text: 'Two.',
    })
    expect(seen).toBe('Two.')
    expect(server.calls('chat')).toHaveLength(1)
  })

  it('throws if the text stays empty', async () => {
    server.script(/Count/, '  ', '')
    await expect(askText(asking())).rejects.toMatchObject({ code: 'model.malformed', retry: 'never' })
    expect(server.calls('chat')).toHaveLength(2)
  })
})

describe('inParallel', () => {
  it('stops the other calls if one fails', async () => {
    server.script(/hang/, answer.hang())
    server.script(/fail/, async () => {
      await server.until((requests) => requests.length === 3)
      return answer.status(401)
    })
    const together = inParallel(['hang', 'fail', 'hang'], callWith(), (input, call) =>
      askText({ ...asking(), input, call }),
    )
    await expect(together).rejects.toMatchObject({ code: 'provider.rejected' })
    await server.until((requests) => requests.every(({ outcome }) => outcome !== undefined))
    expect(server.requests.map(({ outcome }) => outcome).sort()).toEqual(['aborted', 'aborted', 'answered'])
  })
})

describe('withOfflineFallback', () => {
  const ask: Skill<null, TextResult> = (_, call) => askText({ ...asking(), call })
  const offline: TextResult = { kind: 'answered', text: 'offline' }
  const skill = withOfflineFallback('plan', ask, () => Promise.resolve(offline))

  it('runs the offline form if no provider answers, and reports it', async () => {
    server.script(/Count/, answer.status(503))
    const told: ModelCall[] = []
    expect(await skill(null, callWith({ onCall: (call) => void told.push(call) }))).toBe(offline)
    expect(told).toEqual([
      {
        skill: 'plan',
        model: 'offline',
        usage: { calls: 0, tokensIn: 0, tokensOut: 0, cents: 0 },
        insteadBy: 'offline',
      },
    ])
  })

  it('throws if the policy prefers to wait, and for any other error', async () => {
    server.script(/Count/, answer.status(503))
    await expect(skill(null, callWith({ lastRung: 'none' }))).rejects.toMatchObject({
      code: 'provider.down',
      retry: 'later',
    })
    server.script(/Count/, '')
    await expect(skill(null, callWith())).rejects.toMatchObject({ code: 'model.malformed' })
    server.script(/Count/, answer.status(401))
    await expect(skill(null, callWith())).rejects.toMatchObject({ code: 'provider.rejected' })
  })
})
