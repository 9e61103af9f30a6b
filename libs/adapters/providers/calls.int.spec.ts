import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProviderCall } from '@plumbline/ports/chat-model'
import { answer } from '@plumbline/testing/model-server/answer'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import type { Scripted } from '@plumbline/testing/model-server/script'
import { chatOver, chatRequest, forms, thrownBy } from './spec/chat'
import { auditOf, passing, patienceWith } from './spec/measure'

let first: ModelServer
let second: ModelServer
beforeAll(async () => {
  first = await startModelServer()
  second = await startModelServer({ models: ['stand-in'] })
  // Loads the library, which takes time once per process.
  await chatOver({ first }).chat(chatRequest())
})
beforeEach(() => {
  first.reset()
  second.reset()
})
afterAll(() => Promise.all([first.close(), second.close()]))

const lasting: Record<string, Scripted> = {
  'a 400': answer.status(400),
  'a 401': answer.status(401),
  'a 403': answer.status(403),
  'a 404': answer.status(404),
  'a 422': answer.status(422),
}
const parts = patienceWith()

describe.each(Object.entries(forms))('a %s call', (_, form) => {
  it.each(Object.entries(passing))(
    'that meets %s makes at most three provider calls, each of them told',
    async (__, fault) => {
      const { error, sent, calls } = await auditOf(first, fault, form)
      expect(error).toMatchObject({ retry: 'later', code: expect.stringMatching(/^provider\.(down|limited)$/) })
      expect(sent).toBe(3)
      expect(calls).toHaveLength(3)
      expect(calls.every(({ usage }) => usage.calls === 1 && usage.tokensIn === 0 && usage.cents === 0)).toBe(true)
    },
  )

  it.each(Object.entries(passing))('that meets %s once is answered', async (__, fault) => {
    first.script({ kind: 'chat' }, fault, answer.json({ verdict: 'yes' }))
    const calls: ProviderCall[] = []
    expect(await chatOver({ first, parts: patienceWith(fault) }).chat(chatRequest({ calls, ...form }))).toMatchObject({
      kind: 'answered',
      text: '{"verdict":"yes"}',
    })
    expect(calls.map(({ usage }) => usage.tokensOut > 0)).toEqual([false, true])
  })

  it.each(Object.entries(lasting))('that meets %s is not retried', async (__, fault) => {
    first.script({ kind: 'chat' }, fault)
    const error = await thrownBy(chatOver({ first, second, parts }).chat(chatRequest(form)))
    expect(error).toMatchObject({ code: 'provider.rejected', retry: 'never' })
    expect(first.calls('chat')).toHaveLength(1)
    expect(second.calls('chat')).toHaveLength(0)
  })

  it('that may be made once is neither retried nor made to the fallback provider', async () => {
    first.script({ kind: 'chat' }, answer.status(500))
    second.script({ kind: 'chat' }, answer.status(500))
    const calls: ProviderCall[] = []
    const asked = chatOver({ first, second, parts }).chat({ ...chatRequest({ calls, ...form }), once: true })
    expect(await thrownBy(asked)).toMatchObject({ retry: 'later' })
    expect([first.calls('chat').length, second.calls('chat').length]).toEqual([1, 0])
    expect(calls).toHaveLength(1)
  })

  it('includes those of the fallback provider', async () => {
    first.script({ kind: 'chat' }, answer.status(500))
    second.script({ kind: 'chat' }, answer.status(500))
    const calls: ProviderCall[] = []
    expect(await thrownBy(chatOver({ first, second, parts }).chat(chatRequest({ calls, ...form })))).toMatchObject({
      code: 'provider.down',
    })
    expect([first.calls('chat').length, second.calls('chat').length]).toEqual([2, 1])
    expect(calls.map(({ model, fallback }) => [model, fallback])).toEqual([
      ['gpt-4.1', undefined],
      ['gpt-4.1', undefined],
      ['stand-in', true],
    ])
  })
})

describe('output forms and request options', () => {
  it('are tried once per server and model, and every try counts as a call', async () => {
    const server = await startModelServer()
    server.unsupported('json_schema')
    server.unsupported('tools')
    server.script({ kind: 'chat' }, answer.json({ verdict: 'yes' }))
    const model = chatOver({ first: server })
    const calls: ProviderCall[] = []
    await model.chat(chatRequest({ calls, ...forms.structured }))
    await chatOver({ first: server }).chat(chatRequest({ calls, ...forms.structured }))
    expect(calls).toHaveLength(4)
    expect(server.calls('chat').map(({ status }) => status)).toEqual([400, 400, 200, 200])
    await server.close()
  })

  it('never cause more than three calls, even if the server also fails', async () => {
    const server = await startModelServer()
    server.unsupported('json_schema')
    server.unsupported('tools')
    server.script({ kind: 'chat' }, answer.status(500))
    expect(await thrownBy(chatOver({ first: server }).chat(chatRequest(forms.structured)))).toMatchObject({
      code: 'provider.down',
    })
    expect(server.calls('chat')).toHaveLength(3)
    await server.close()
  })

  it('omit the temperature if the model does not support it', async () => {
    const taken = (body: unknown): boolean => !(typeof body === 'object' && body !== null && 'temperature' in body)
    const refused = answer.status(
      400,
      {},
      {
        message:
          "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
      },
    )
    first.script(({ body }) => !taken(body), refused)
    first.script(({ body }) => taken(body), answer.text('Yes.'))
    const model = chatOver({ first, model: 'thinks' })
    const replies = await Promise.all([1, 2].map(() => model.chat(chatRequest({ temperature: 0.3 }))))
    expect(replies).toEqual([1, 2].map(() => ({ kind: 'answered', text: 'Yes.' })))
    expect((await model.chat(chatRequest())).kind).toBe('answered')
    expect(first.calls('chat').map(({ status }) => status)).toEqual([400, 400, 200, 200, 200])
  })
})
