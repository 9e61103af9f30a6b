import {
  admitted,
  after,
  asking,
  claim,
  found,
  good,
  graded,
  passage,
  planned,
  toResearch,
} from '@plumbline/flow/spec/run-fixtures.spec'
import { offlineSkills } from '@plumbline/skills/offline'
import type { Answer, CheckPart, Drafted } from '@plumbline/skills/skill/skill'
import { describe, expect, it } from 'vitest'
import { generate } from '../generator/generate'
import { workOn } from '../work.spec'

type AnswerInput = Parameters<Answer>[0]
const mars = { ...passage('p1'), title: 'Mars', text: 'Mars is red.' }
const writing = after(
  asking({ releaseBySentence: 'on' }, { question: 'Which colour has Mars?' }),
  admitted,
  toResearch,
  planned('Which colour has Mars?'),
  found('1.1', ['p1']),
  graded('1.1', { p1: good }),
)

describe('the early release of a draft', () => {
  it('tells the writer whether the asker has a part of the draft, which is then not shortened', async () => {
    const text = 'Mars is red [1].'
    const citations = [{ n: 1, passageId: 'p1' }]
    const readBy = async (verdict: 'supported' | 'unsupported') => {
      const asker: (boolean | undefined)[] = []
      const skills = {
        ...offlineSkills,
        checkPart: () => Promise.resolve({ claims: [claim(verdict, { text: 'Mars is red.' })], key: 'key' }),
        answer: async ({ onPart, endParts }: AnswerInput): Promise<Drafted> => {
          onPart?.({ text, citations, workings: [], ends: [text.length] })
          asker.push(await endParts?.())
          return { kind: 'written', text, citations }
        },
      }
      const work = workOn(writing, 'generate', [mars])
      await generate({ skills })({ ...work, show: ({ claims }) => Promise.resolve(claims[0]?.verdict === 'supported') })
      return asker
    }
    expect(await readBy('supported')).toEqual([true])
    expect(await readBy('unsupported')).toEqual([false])
  })

  it('checks the growing draft again each time it has twice the length of what the asker has', async () => {
    const sentences = Array.from({ length: 8 }, (_, at) => `Mars is red in part ${at + 1} [1].`)
    const citations = [{ n: 1, passageId: 'p1' }]
    const upTo = (count: number): string => sentences.slice(0, count).join(' ')
    const checks: number[] = []
    const skills = {
      ...offlineSkills,
      checkPart: ({ text, known }: Parameters<CheckPart>[0]) => {
        const count = text.split('[1].').length - 1
        checks.push(count)
        const claims = sentences.slice(known, count).map((sentence) => claim('supported', { text: sentence }))
        return Promise.resolve({ claims, key: 'key' })
      },
      answer: async ({ onPart }: AnswerInput): Promise<Drafted> => {
        for (let count = 1; count <= sentences.length; count += 1) {
          const ends = Array.from({ length: count }, (_, at) => upTo(at + 1).length)
          onPart?.({ text: upTo(count), citations, workings: [], ends })
          await new Promise(setImmediate)
        }
        return { kind: 'written', text: upTo(sentences.length), citations }
      },
    }
    const work = workOn(writing, 'generate', [mars])
    await generate({ skills })({ ...work, show: () => Promise.resolve(true) })
    expect(checks).toEqual([1, 2, 4, 8])
  })
})
