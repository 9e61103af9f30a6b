import { describe, expect, it } from 'vitest'
import { numbered } from '../asking/passages'
import { dwellTime, history, pilots } from '../eval/harbours'
import { drafted, faultIn, standing, telling } from './drafting'

const scene = { question: 'What is 5 times 3?', passages: numbered([dwellTime, history, pilots]) }
const grade = { relevant: true, level: 'high' as const, confidence: 0.9, reason: '' }

describe('a draft', () => {
  it('keeps its Markdown, and cites what it names of what was given', async () => {
    const text =
      '- Sea pilots guide ships [3].\n- Aldwick has 12 cranes [1, 99].\n\n| Harbour | Cranes |\n|---|---|\n| Aldwick | 12 [1] |'
    expect(await drafted(`\n${text}\n`, scene)).toEqual({
      kind: 'written',
      text,
      citations: [
        { n: 1, passageId: dwellTime.id },
        { n: 3, passageId: pilots.id },
      ],
    })
  })

  it.each([
    ['Boarding lasts 20–30 minutes [3].', null],
    ['| Harbour | Cranes |\n|---|---|\n| Aldwick | 12 [1] |', null],
    ['That makes {{ 5 * 3 }}.', null],
    ['Boarding takes a while. It lasts 30 minutes [9].', /cited by: Boarding takes a while\.\n.*cited by: It lasts 30/],
    ['- Sea pilots [3]\n- Dock pilots', /cited by: Dock pilots/],
    ['It takes {{ 31.5 * 77 }} hours [1].', /77 stands neither/],
  ])('is put right where %s', async (text, fault) => {
    const found = await faultIn(text, scene)
    if (fault === null) expect(found).toBeNull()
    else expect(found).toMatch(fault)
  })

  it('is told as it is written, and from a calculation on once it is worked out', () => {
    const pieces: string[] = []
    const told = telling((piece) => void pieces.push(piece))
    for (const piece of [' It is', ' 5 [1]. It', ' makes {', '{ 5 * 3 }} [1].']) told.hear(piece)
    expect(pieces.join('')).toBe('It is 5 [1]. It makes ')
    told.finish('It is 5 [1]. It makes 15 [1].')
    expect(pieces.join('')).toBe('It is 5 [1]. It makes 15 [1].')
  })

  it('hears by number which passages are best, outdated or weak', () => {
    const graded = numbered([
      { ...dwellTime, grade: { ...grade, confidence: 0.5, outdated: true } },
      { ...history, grade: { ...grade, relevant: false, level: 'low' } },
      { ...pilots, grade: { ...grade, authority: 'low' } },
    ])
    expect(standing(graded)).toBe(' Most relevant passages: 3, 1. Outdated: 1. Of low authority: 3.')
    expect(standing(scene.passages)).toBe('')
  })
})
