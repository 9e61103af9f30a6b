import { describe, expect, it } from 'vitest'
import type { Call, StandaloneQuestion, Thread } from '../skill/skill'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const thread: Thread = {
  turns: [{ question: 'How many ship calls had Aldwick in 2020?', text: 'It had 310 [1].' }],
  askedBack: false,
  hasPassages: true,
}

export const standaloneQuestionContract = (label: string, standaloneQuestion: () => StandaloneQuestion): void => {
  describe(`standaloneQuestion: ${label}`, () => {
    it('returns no question if it is already complete', async () => {
      const question = 'How many ship calls had Aldwick in 2020, and how many cranes?'
      expect(await standaloneQuestion()({ question, thread }, call)).not.toHaveProperty('question')
    })

    it('stops when its signal aborts', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect(standaloneQuestion()({ question: 'And in 2021?', thread }, aborted)).rejects.toThrow()
    })
  })
}
