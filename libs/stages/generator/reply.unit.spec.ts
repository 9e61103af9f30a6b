import { describe, expect, it } from 'vitest'
import { admitted, after, asking, checked, checking, routed } from '@plumbline/flow/spec/given.spec'
import type { Reply } from '@plumbline/skills'
import { offlineSkills } from '@plumbline/skills/offline'
import { catalog, workOn } from '../work.spec'
import { reply } from './reply'

const greeted = () =>
  workOn(
    after(asking({}, { question: 'Hello!' }), admitted, routed({ outcome: 'reply', logic: 'Small talk.' })),
    'reply',
  )
const saying = (said: Awaited<ReturnType<Reply>>) => reply({ skills: { reply: () => Promise.resolve(said) }, catalog })

describe('reply', () => {
  it('tells what the run’s collections hold, in fixed words', async () => {
    const result = await reply({ skills: offlineSkills, catalog })(greeted())
    expect(result).toEqual({
      outcome: 'replied',
      text: expect.stringContaining('planets: The planets of the solar system'),
    })
  })

  it('marks what a model wrote, and hands on that it refused', async () => {
    expect(await saying({ text: 'Good day.', written: true })(greeted())).toEqual({
      outcome: 'replied',
      text: 'Good day.',
      written: true,
    })
    expect(await saying({ text: '', refused: 'Not this.' })(greeted())).toEqual({
      outcome: 'refused',
      reason: 'Not this.',
    })
  })

  it('says what it is for, why, and what was read, to ask between', async () => {
    const seen: unknown[] = []
    const hearing: Reply = (input) => {
      seen.push(input)
      return Promise.resolve({ text: 'Which?' })
    }
    const toClarify = routed({ outcome: 'clarify', logic: 'It names nothing.', question: 'What was its mass?' })
    const vague = after(asking({}, { question: 'And its mass?' }), admitted, toClarify)
    await reply({ skills: { reply: hearing }, catalog })(workOn(vague, 'reply'))
    const broad = after(checking({ whenTooBroad: 'ask' }), checked(1, { tooBroad: true }))
    await reply({ skills: { reply: hearing }, catalog })(workOn(broad, 'reply'))
    expect(seen).toMatchObject([
      {
        question: 'What was its mass?',
        to: 'clarify',
        logic: 'It names nothing.',
        collections: [{ name: 'planets' }, { name: 'memory' }],
        dimensions: [],
      },
      { question: 'How heavy is Mars?', to: 'narrow', dimensions: ['Title p1'] },
    ])
  })
})
