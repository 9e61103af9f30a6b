import { describe, expect, it } from 'vitest'
import { admitted, after, asking, checked, checking, routed } from '@plumbline/flow/spec/given.spec'
import type { Skills } from '@plumbline/skills'
import { offlineSkills } from '@plumbline/skills/offline'
import { catalog, workOn } from '../work.spec'
import { reply } from './reply'

const replied = (question: string, outcome: 'reply' | 'clarify', logic: string) =>
  reply({ skills: offlineSkills, catalog })(
    workOn(after(asking({}, { question }), admitted, routed({ outcome, logic })), 'reply'),
  )

describe('reply', () => {
  it('tells what the run’s collections hold', async () => {
    const result = await replied('Hello!', 'reply', 'Small talk.')
    const text = result.outcome === 'replied' ? result.text : result.reason
    expect(text).toContain('planets: The planets of the solar system')
    expect(text).toContain('memory: Agent memory')
  })

  it('asks back for what a broad question leaves open, and hands on that a model refused', async () => {
    const broad = after(checking({ whenTooBroad: 'ask' }), checked(1, { tooBroad: true }))
    const result = await reply({ skills: offlineSkills, catalog })(workOn(broad, 'reply'))
    expect(result).toMatchObject({ outcome: 'replied', text: expect.stringMatching(/\?$/) })
    const refusing: Skills['reply'] = () => Promise.resolve({ text: '', refused: 'Not this.' })
    expect(await reply({ skills: { reply: refusing }, catalog })(workOn(broad, 'reply'))).toEqual({
      outcome: 'refused',
      reason: 'Not this.',
    })
  })

  it('asks for what the router missed', async () =>
    expect(
      await replied('What was it?', 'clarify', 'The question leaves open for which year or period.'),
    ).toMatchObject({
      outcome: 'replied',
      text: expect.stringMatching(/year or period\?$/),
    }))
})
