import { answer } from '@plumbline/testing/model-server'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../asking/scripted.spec'
import { history } from '../eval/harbours'
import { llmShortAnswer } from './short-answer.llm'

const model = useModel()
const found = (evidence = [history]) =>
  llmShortAnswer(model.chat, 12_000)({ question: 'Who built the first quay?', evidence }, callWith())
const says = (value: string | null): void => model.server().script('short-answer', answer.json({ value }))

describe('a short answer by a model', () => {
  it('is the few words that can stand in the next question', async () => {
    says(' Maria\nLund ')
    expect(await found()).toBe('Maria Lund')
    expect(model.shown()[0]?.one('passage 1')).toContain(history.text)
  })

  it.each([null, ' ', 'x'.repeat(201)])('is none where the passages give none: %s', async (value) => {
    says(value)
    expect(await found()).toBeNull()
  })

  it('is none where the model refuses, and needs passages', async () => {
    expect(await found([])).toBeNull()
    expect(model.sent()).toEqual([])
    model.server().script('short-answer', answer.refused('No.'))
    expect(await found()).toBeNull()
  })
})
