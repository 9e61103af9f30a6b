import { describe, expect, it } from 'vitest'
import { offlineReply } from './reply.offline'
import { replyContract } from './reply.contract'

replyContract('offline', () => offlineReply)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const collections = [{ name: 'harbours', description: `Ports of the north. ${'Many more words. '.repeat(40)}` }]
const replied = async (question: string, to: 'general' | 'clarify' = 'general', logic = '') =>
  (await offlineReply({ question, to, logic, collections }, call)).text

describe('offline reply', () => {
  it.each([
    ['hello there', /^Hello!/],
    ['Thanks a lot', /^You are welcome\./],
    ['Bye', /^Goodbye\./],
    ['Who are you?', /^I answer questions from documents/],
  ])('meets %s in kind', async (question, opening) => expect(await replied(question)).toMatch(opening))

  it('tells the beginning of a long description', async () =>
    expect(await replied('Hi')).toBe('Hello! I can answer from these collections:\n- harbours: Ports of the north.'))

  it('cuts one endless sentence at a word', async () => {
    const { text } = await offlineReply(
      { question: 'Hi', to: 'general', logic: '', collections: [{ name: 'a', description: 'word '.repeat(100) }] },
      call,
    )
    expect(text).toMatch(/word …$/)
    expect(text.length).toBeLessThan(260)
  })

  it('asks for everything the logic names, and for the usual where it names nothing', async () => {
    expect(await replied('What was it?', 'clarify', 'It leaves open which place is meant and for which year')).toBe(
      'I need to know more to look up “What was it?”. It leaves open which place is meant and for which year. Could you ask again and say whom or what you mean, by name and for which year or period?',
    )
    expect(await replied('What was it?', 'clarify')).toMatch(/say whom or what you mean and for which time\?$/)
  })
})
