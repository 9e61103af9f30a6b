import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProviderCall } from '@plumbline/ports/chat-model'
import { answer } from '@plumbline/testing/model-server/answer'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { chatOver, chatRequest, thrownBy } from './spec/chat'

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
  second.script({ kind: 'chat' }, answer.text('From the other one.'))
})
afterAll(() => Promise.all([first.close(), second.close()]))

const said = 'Slate splits into thin plates along its cleavage.'

describe('the fallback provider', () => {
  it('answers if the first provider fails, and its calls are marked', async () => {
    first.script({ kind: 'chat' }, answer.status(500))
    const calls: ProviderCall[] = []
    expect(await chatOver({ first, second }).chat(chatRequest({ calls }))).toEqual({
      kind: 'answered',
      text: 'From the other one.',
    })
    expect(calls.map(({ model, fallback, usage }) => [model, fallback, usage.tokensOut > 0])).toEqual([
      ['gpt-4.1', undefined, false],
      ['gpt-4.1', undefined, false],
      ['stand-in', true, true],
    ])
    expect(second.calls('chat')[0]?.model).toBe('stand-in')
  })

  it('answers at once while the first provider is limited for a long time', async () => {
    first.script({ kind: 'chat' }, answer.limited(60))
    const model = chatOver({ first, second })
    await model.chat(chatRequest())
    await model.chat(chatRequest())
    expect([first.calls('chat').length, second.calls('chat').length]).toEqual([1, 2])
  })

  it('is called if the first provider hangs', async () => {
    first.script({ kind: 'chat' }, answer.hang())
    expect(await chatOver({ first, second, parts: { timeoutMs: 2_000 } }).chat(chatRequest())).toMatchObject({
      text: 'From the other one.',
    })
    expect([first.calls('chat').length, second.calls('chat').length]).toEqual([1, 1])
  })

  it('streams if the first provider disconnects before its first text', async () => {
    first.script({ kind: 'chat' }, answer.reset('before-headers'))
    const pieces: string[] = []
    await chatOver({ first, second }).chat(chatRequest({ onDelta: (text) => void pieces.push(text) }))
    expect(pieces.join('')).toBe('From the other one.')
  })

  it.each([
    ['stalls', answer.trickle({ everyMs: 10, stallAfter: 3 }, said)],
    ['is reset', answer.reset('mid-body', said)],
  ])('is never asked after the first piece of a stream that %s', async (_, broken) => {
    first.script({ kind: 'chat' }, broken)
    const pieces: string[] = []
    const calls: ProviderCall[] = []
    const error = await thrownBy(
      chatOver({ first, second, parts: { timeoutMs: 2_000 } }).chat(
        chatRequest({ calls, onDelta: (text) => void pieces.push(text) }),
      ),
    )
    expect(error).toMatchObject({ code: 'provider.cut', retry: 'later' })
    expect(said.startsWith(pieces.join(''))).toBe(true)
    expect(pieces.length).toBeGreaterThan(0)
    expect([first.calls('chat').length, second.calls('chat').length, calls.length]).toEqual([1, 0, 1])
  })
})
