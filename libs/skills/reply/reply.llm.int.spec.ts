import { answer } from '@plumbline/testing/model-server'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../asking/scripted.spec'
import { llmReply } from './reply.llm'

const model = useModel()
const collections = [{ name: 'planets', description: 'Mass and moons.' }]
const replied = (to: 'general' | 'clarify') =>
  llmReply(model.chat)(
    { question: 'How heavy is it?', to, logic: 'It leaves open which planet.', collections },
    callWith(),
  )

describe('a reply by a model', () => {
  it('gets the router’s logic and the collections’ descriptions', async () => {
    model.server().script(() => true, 'Which planet do you mean?')
    expect(await replied('clarify')).toEqual({ text: 'Which planet do you mean?' })
    expect(model.shown()[0]?.all.map(({ text }) => text)).toEqual([
      'planets\nMass and moons.',
      'It leaves open which planet.',
      'How heavy is it?',
    ])
    await replied('general')
    expect(model.shown().map(({ task }) => task)).toEqual([
      'Write the clarifying reply.',
      'Write the general reply. There is 1 collection.',
    ])
  })

  it('may be refused, and is never silently empty', async () => {
    model.server().script(() => true, answer.refused('Not this.'))
    expect(await replied('general')).toEqual({ text: '', refused: 'Not this.' })
    model.server().script(() => true, '')
    await expect(replied('general')).rejects.toMatchObject({ code: 'model.malformed' })
  })
})
