import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChatModel, ChatRequest, ProviderCall } from './chat-model'

export type ChatModelBench = {
  model: ChatModel
  says(text: string): void
  refuses(reason: string): void
  hangs(): void
  reached(): number
  close(): Promise<void>
}

const output = {
  name: 'verdict',
  schema: {
    type: 'object',
    properties: { verdict: { type: 'string' } },
    required: ['verdict'],
    additionalProperties: false,
  },
}

export const chatModelContract = (name: string, open: () => Promise<ChatModelBench>): void => {
  describe(`chat model: ${name}`, () => {
    let bench: ChatModelBench
    let calls: ProviderCall[]
    beforeEach(async () => {
      bench = await open()
      calls = []
    })
    afterEach(() => bench.close())
    const ask = (more: Partial<ChatRequest> = {}): ChatRequest => ({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Does slate split?' },
      ],
      temperature: 0,
      maxTokens: 200,
      onCall: (call) => void calls.push(call),
      signal: new AbortController().signal,
      ...more,
    })

    it('answers, and reports each call with its usage', async () => {
      bench.says('It does.')
      expect(await bench.model.chat(ask())).toEqual({ kind: 'answered', text: 'It does.' })
      expect(calls).toHaveLength(bench.reached())
      const used = calls.at(-1)?.usage
      expect(used).toMatchObject({ calls: 1 })
      expect(used!.tokensIn).toBeGreaterThan(0)
      expect(used!.tokensOut).toBeGreaterThan(0)
    })

    it('sends a text in pieces that add up to the whole', async () => {
      bench.says('Slate splits into  thin plates.\n')
      const pieces: string[] = []
      const reply = await bench.model.chat(ask({ onDelta: (text) => void pieces.push(text) }))
      expect(reply).toEqual({ kind: 'answered', text: 'Slate splits into  thin plates.\n' })
      expect(pieces.join('')).toBe('Slate splits into  thin plates.\n')
      expect(calls.at(-1)?.usage.tokensOut).toBeGreaterThan(0)
    })

    it('sends the text so far, also of structured output, and the whole at last', async () => {
      for (const said of ['Slate splits into  thin plates.\n', '{"verdict":"supported","passage":1}']) {
        const asked = said.startsWith('{') ? { output } : {}
        bench.says(said)
        // Ask twice, because some servers stream structured output only from the second call on.
        await bench.model.chat(ask(asked))
        const texts: string[] = []
        await bench.model.chat(ask({ ...asked, onText: (text) => void texts.push(text) }))
        expect(texts.at(-1)).toBe(said)
        expect(texts.every((text, at) => text.startsWith(texts[at - 1] ?? ''))).toBe(true)
      }
    })

    it('returns structured output as the model wrote it, readable or not', async () => {
      for (const said of ['{"verdict":"supported"}', '{"verdict":', '{"verdict":7}']) {
        bench.says(said)
        expect(await bench.model.chat(ask({ output }))).toEqual({ kind: 'answered', text: said })
      }
      expect(calls).toHaveLength(bench.reached())
    })

    it('cuts off an answer at its limit', async () => {
      bench.says('Slate splits into thin plates, and has been laid on roofs for centuries.')
      const reply = await bench.model.chat(ask({ maxTokens: 4 }))
      expect(reply.kind === 'answered' && reply.text).toMatch(/^Slate(?!.*centuries)/)
    })

    it('treats every form of refusal as an outcome', async () => {
      bench.refuses('I will not.')
      expect(await bench.model.chat(ask())).toMatchObject({ kind: 'refused' })
      expect(await bench.model.chat(ask({ output }))).toMatchObject({ kind: 'refused' })
      expect(await bench.model.chat(ask({ onDelta: () => undefined }))).toMatchObject({ kind: 'refused' })
    })

    it('makes no call after it was stopped', async () => {
      bench.says('Too late.')
      await expect(bench.model.chat(ask({ signal: AbortSignal.abort(new Error('stop')) }))).rejects.toThrow('stop')
      expect(bench.reached()).toBe(0)
    })

    it('stops in the middle of a call, with the given reason', async () => {
      bench.hangs()
      const stop = new AbortController()
      const asked = bench.model.chat(ask({ signal: stop.signal }))
      await expect.poll(() => bench.reached()).toBe(1)
      stop.abort(new Error('stop'))
      await expect(asked).rejects.toThrow('stop')
      expect(calls).toHaveLength(1)
    })
  })
}
