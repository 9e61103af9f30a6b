import { answer } from '@plumbline/testing/model-server/answer'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../skill/fixtures.spec'
import type { StandaloneQuestion, Thread } from '../skill/skill'
import { offlineRoute } from './route.offline'
import { standaloneQuestionContract } from './standalone-question.contract'
import { llmStandaloneQuestion } from './standalone-question.llm'
import { offlineStandaloneQuestion } from './standalone-question.offline'

standaloneQuestionContract('offline', () => offlineStandaloneQuestion)

const thread: Thread = {
  turns: [{ question: 'How many passengers used the Bergen line in 2019?', text: 'It was 12 [1].' }],
  askedBack: false,
  hasPassages: true,
}
const model = useModel()
const question = 'And in 2023?'
const whole = 'How many passengers used the Bergen line in 2023?'
const asked = (fields: Partial<Parameters<StandaloneQuestion>[0]> = {}) =>
  llmStandaloneQuestion(model.chat)({ question, thread, ...fields }, callWith())
const says = (...all: { question: string; summary?: string }[]): void =>
  model.server().script('standalone-question', ...all.map((said) => answer.json({ summary: null, ...said })))

describe('a follow-up', () => {
  it('is completed by one call that sees the thread and the message', async () => {
    says({ question: whole })
    expect(await asked()).toEqual({ question: whole })
    const [shown, ...more] = model.shown()
    expect(more).toEqual([])
    expect(shown?.one('turn')).toBe(
      'Asked: How many passengers used the Bergen line in 2019?\nAnswered: It was 12 [1].',
    )
    expect(shown?.one('question')).toBe(question)
  })

  it('is sent with a note if the last turn asked the asker something', async () => {
    says({ question: whole })
    await asked()
    await asked({ thread: { ...thread, askedBack: true } })
    expect(model.shown().map(({ task }) => task.includes('asked the asker something'))).toEqual([false, true])
  })

  it('stays unchanged if the model repeats it, returns nothing or refuses', async () => {
    says({ question }, { question: ' ' })
    expect([await asked(), await asked()]).toEqual([{}, {}])
    model.server().script('standalone-question', answer.refused('Not this.'))
    expect(await asked()).toEqual({})
  })

  it('comes with a summary if the thread is longer than its shown part', async () => {
    const turns = Array.from({ length: 12 }, (_, n) => ({ question: `Question ${n}?`, text: `Said ${n}. `.repeat(80) }))
    says({ question: whole }, { question: whole, summary: ' Trains. ' })
    expect(await asked({ thread: { ...thread, turns } })).toEqual({ question: whole, summary: 'Trains.' })
    says({ question: whole, summary: 'Not wanted.' })
    expect(await asked()).toEqual({ question: whole })
  })

  it('means the same as in the offline router without a model', async () => {
    const routed = await offlineRoute(
      { question, thread, collections: [], webOn: false, mode: 'scope', queries: 0, knowledge: false },
      callWith(),
    )
    expect(routed.question).toMatch(/Bergen/)
    expect(await offlineStandaloneQuestion({ question, thread }, callWith())).toEqual({ question: routed.question })
  })
})
