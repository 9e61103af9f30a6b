import { describe, expect, it } from 'vitest'
import type { Call } from '../skill'
import type { Reply } from './reply'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const collections = [
  { name: 'harbours', description: 'Harbour statistics by port and year. Throughput, ship calls and dwell time.' },
  { name: 'canteen', description: 'Menus and opening hours of the staff canteen.' },
]

/** What every implementation of `reply` keeps to: it answers without documents, so it states nothing that documents would have to carry. */
export const replyContract = (label: string, reply: () => Reply): void => {
  const replied = async (question: string, to: 'general' | 'clarify', logic: string, cards = collections) =>
    (await reply()({ question, to, logic, collections: cards }, call)).text

  describe(`reply: ${label}`, () => {
    it('says what it can answer from', async () => {
      const text = await replied('What can you do?', 'general', 'Small talk.')
      for (const { name } of collections) expect(text).toContain(name)
    })

    it('says so when there is nothing to answer from', async () =>
      expect(await replied('Hello', 'general', 'Small talk.', [])).toMatch(/\bno\b.*\b(?:documents?|collections?)\b/i))

    it.each([
      ['What was the throughput of Oslo?', 'The question leaves open for which year or period.', /year|period/i],
      ['And for the second one?', 'The question leaves open whom or what it refers to.', /whom?|what|which/i],
    ])('asks for what is missing: %s', async (question, logic, sign) => {
      const text = await replied(question, 'clarify', logic)
      expect(text).toMatch(sign)
      expect(text).toContain('?')
    })

    it('stops when it is told to', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect(
        (async () => reply()({ question: 'Hi', to: 'general', logic: '', collections }, aborted))(),
      ).rejects.toThrow()
    })
  })
}
