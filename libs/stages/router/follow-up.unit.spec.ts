import { policies } from '@plumbline/flow'
import { admitted, after, asking } from '@plumbline/flow/spec/run-fixtures.spec'
import type { StandaloneQuestion } from '@plumbline/skills/skill/skill'
import { describe, expect, it } from 'vitest'
import { catalog, workOn } from '../work.spec'
import { route } from './route'

describe('the router', () => {
  it('only makes a follow-up whole under a policy that enters with another task', async () => {
    const said = { question: 'How heavy is Mars?', summary: 'About Mars.' }
    const seen: unknown[] = []
    const work = workOn(
      after(
        asking(policies.simple, {
          question: 'And Mars?',
          inThread: { status: 'answered', question: 'How heavy is Venus?', text: 'Heavy.', passageIds: [] },
        }),
        admitted,
      ),
      'route',
    )
    const skills = {
      route: () => Promise.reject(new Error('it was asked')),
      standaloneQuestion: (...given: Parameters<StandaloneQuestion>) => {
        seen.push(given)
        return Promise.resolve(said)
      },
    }
    expect(await route({ skills, catalog })(work)).toEqual({
      ...{ outcome: 'research', logic: 'This policy researches every question.', collections: work.run.collections },
      ...said,
    })
    const thread = {
      turns: [{ question: 'How heavy is Venus?', text: 'Heavy.' }],
      askedBack: false,
      hasPassages: false,
    }
    expect(seen).toMatchObject([
      [
        { question: 'And Mars?', thread },
        { tier: 'small', temperature: 0 },
      ],
    ])
  })
})
