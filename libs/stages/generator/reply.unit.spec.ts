import { describe, expect, it } from 'vitest'
import { admitted, after, asking, routed } from '@plumbline/flow/spec/given.spec'
import { offlineSkills } from '@plumbline/skills/offline'
import { catalog, workOn } from '../work.spec'
import { reply } from './reply'

const replied = (question: string, outcome: 'reply' | 'clarify', logic: string) =>
  reply({ skills: offlineSkills, catalog })(workOn(after(asking({}, { question }), admitted, routed({ outcome, logic })), 'reply'))

describe('reply', () => {
  it('tells what the run’s collections hold', async () => {
    const result = await replied('Hello!', 'reply', 'Small talk.')
    const text = result.outcome === 'replied' ? result.text : result.reason
    expect(text).toContain('planets: The planets of the solar system')
    expect(text).toContain('memory: Agent memory')
  })

  it('asks for what the router missed', async () =>
    expect(await replied('What was it?', 'clarify', 'The question leaves open for which year or period.')).toMatchObject({
      outcome: 'replied',
      text: expect.stringMatching(/year or period\?$/),
    }))
})
