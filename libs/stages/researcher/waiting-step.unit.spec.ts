import { after, bad, found, good, graded, nothing, type Given } from '@plumbline/flow/spec/given.spec'
import { offlineSkills } from '@plumbline/skills/offline'
import { describe, expect, it } from 'vitest'
import { workOn } from '../work.spec'
import { handler, idsOf, passageOf, researching } from './films.spec'

describe('research: a step that waits for another', () => {
  const bridge = (): Given => researching({}, 'Who founded Oceanic Films?', ['Where was #1 born?', 1])

  const answering = (found: string | null, seen: unknown[] = []): typeof offlineSkills => ({
    ...offlineSkills,
    shortAnswer: ({ question, evidence }) => {
      seen.push([question, evidence.map(({ id }) => id)])
      return Promise.resolve(found)
    },
  })
  const first = after(bridge(), found('1.1', ['ocean']), graded('1.1', { ocean: good }))

  it('asks its question with what the first step found in it', async () => {
    const seen: unknown[] = []
    const result = await (
      await handler({ skills: answering('Greta Lindqvist', seen) })
    )(workOn(first, 'research', [passageOf('ocean')]))
    expect(seen).toEqual([['Who founded Oceanic Films?', ['ocean']]])
    expect(result.resolved).toBe('Where was Greta Lindqvist born?')
    expect(result.queries[0]).toBe('Where was Greta Lindqvist born?')
    expect(idsOf(result)[0]).toBe('greta')
  })

  it('asks with the first question where nothing short tells it, or nothing was found', async () => {
    const filledIn = 'Where was (Who founded Oceanic Films?) born?'
    const unsure = await (await handler({ skills: answering(null) }))(workOn(first, 'research', [passageOf('ocean')]))
    expect(unsure.resolved).toBe(filledIn)
    const seen: unknown[] = []
    const missed = after(bridge(), nothing('1.1'), nothing('1.2'), nothing('1.3'), nothing('1.4'))
    const result = await (await handler({ skills: answering('Ann', seen) }))(workOn(missed, 'research'))
    expect(result.resolved).toBe(filledIn)
    expect(seen).toEqual([])
  })

  it('keeps the filled-in question for its rewrites', async () => {
    const resolved = 'Where was Greta Lindqvist born?'
    const given = after(first, found('2.1', ['other'], { resolved }), graded('2.1', { other: bad }, 'incorrect'))
    const asked: string[] = []
    const skills: typeof offlineSkills = {
      ...answering('Somebody else'),
      rewriteQuery: ({ question }) => {
        asked.push(question)
        return Promise.resolve({ query: 'Greta Lindqvist', strategy: 'narrow-focus', reason: 'Her name alone.' })
      },
    }
    const result = await (await handler({ skills }))(workOn(given, 'research', [passageOf('other')]))
    expect([result.resolved, asked]).toEqual([resolved, [resolved]])
    expect(idsOf(result)[0]).toBe('greta')
  })
})
