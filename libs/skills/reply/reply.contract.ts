import { describe, expect, it } from 'vitest'
import type { Call, Reply } from '../skill/skill'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const collections = [
  { name: 'harbours', description: 'Harbour statistics by port. Throughput, ship calls and dwell time.' },
  { name: 'canteen', description: 'Menus and opening hours of the staff canteen.' },
]
const address = /\b\w+\.\w+\/|https?:|@/

export const replyContract = (label: string, reply: () => Reply): void => {
  const tos = ['general', 'clarify', 'narrow', 'decline', 'knowledge'] as const

  describe(`reply: ${label}`, () => {
    it.each(tos)('contains no figure and no address: %s', async (to) => {
      const asked = { question: 'What is it at https://a.example/pay for 450 euros?', logic: 'It is small talk.' }
      const { text, refused } = await reply()({ ...asked, to, collections }, call)
      expect(refused).toBeUndefined()
      expect(text.trim()).not.toBe('')
      expect(text).not.toMatch(/\p{N}/u)
      expect(text).not.toMatch(address)
    })

    it('stops when its signal aborts', async () => {
      const given = { question: 'Hi', to: 'general', logic: '', collections } as const
      await expect(reply()(given, { ...call, signal: AbortSignal.abort() })).rejects.toThrow()
    })
  })
}
