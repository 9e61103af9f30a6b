import { describe, expect, it } from 'vitest'
import type { CollectionCard, Thread } from '../skill'
import { routeContract } from './route.contract'
import { isPleasantry, offlineRoute } from './route.offline'

routeContract('offline', () => offlineRoute)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const trains: CollectionCard = { name: 'trains', description: 'Punctuality of the regional railway by line and year.' }
const minutes: CollectionCard = { name: 'minutes', description: 'Minutes of the board.' }
const asked = { collections: [trains, minutes], webOn: true, mode: 'scope', queries: 2, knowledge: true } as const
const routed = (question: string, thread?: Thread) =>
  offlineRoute({ ...asked, collections: [...asked.collections], question, ...(thread && { thread }) }, call)

describe('offline route', () => {
  it.each(['Hello!', 'hi', 'Thank you.', 'HELP', 'Guten Tag', 'Vielen Dank!', 'Merci !', 'こんにちは', 'ありがとう。'])(
    'answers a greeting, thanks or a call for help itself: %s',
    async (question) => expect(await routed(question)).toMatchObject({ to: 'reply', collections: [] }),
  )

  it.each([
    'How many passengers used the Bergen line in 2019?',
    'How much was it?',
    'Tell me more.',
    'Who will win the football World Cup?',
    'Translate this letter to Spanish',
    'Hello, which line had the most delays?',
    'Thanks to whom did the line open?',
    'Wie viele Züge fuhren?',
    '列車は何本ですか。',
  ])('researches everything else in all collections: %s', async (question) => {
    const { to, collections, question: whole } = await routed(question)
    expect([to, collections, whole]).toEqual(['research', ['trains', 'minutes'], undefined])
  })

  it('never declines, asks back or goes to the web, whatever it is asked to decide', async () => {
    for (const mode of ['scope', 'index-or-web', 'retrieve-or-not'] as const)
      expect(await offlineRoute({ ...asked, collections: [], mode, question: 'What is it?' }, call)).toMatchObject({
        to: 'research',
        collections: [],
      })
  })

  it('has no pleasantry that is a part of a question', () => {
    expect(isPleasantry('  thank   you!! ')).toBe(true)
    expect(isPleasantry('thank you for what')).toBe(false)
    expect(isPleasantry('?')).toBe(false)
  })
})

describe('offline route: a follow-up', () => {
  const thread = (...questions: string[]): Thread => ({
    turns: questions.map((question) => ({ question, text: 'It was 12 [1].' })),
    askedBack: false,
    hasPassages: true,
  })
  const first = 'How many passengers used the Bergen line in 2019?'

  it('takes over what it lacks from the question before', async () =>
    expect(await routed('And in 2020?', thread('Who built it?', first))).toMatchObject({
      to: 'research',
      question: 'How many passengers used the Bergen line in (And in 2020?)',
    }))

  it('keeps figures of another kind, and names', async () => {
    const routedAs = async (before: string, question: string) => (await routed(question, thread(before))).question
    expect(await routedAs('What did line 4 cost in 2019?', 'And line 7?')).toBe(
      'What did line cost in 2019 (And line 7?)',
    )
    expect(await routedAs('Delays of line 4?', 'and in 2020?')).toBe('Delays of line 4 (and in 2020?)')
    expect(await routedAs('Delays of Bergen?', 'and of Oslo')).toBe('Delays of Bergen (and of Oslo)')
  })

  it('stands by itself where it says all of it', async () =>
    expect(await routed(`${first} And how many tickets?`, thread(first))).not.toHaveProperty('question'))

  it('may still be thanks', async () => expect(await routed('Danke!', thread(first))).toMatchObject({ to: 'reply' }))
})
