import { describe, expect, it } from 'vitest'
import { dwellTime, history, pilots, shorePower } from '../skill/fixtures.spec'
import { numberPassages } from '../skill/prompt'
import { toDraft, faultIn, gradeNotes, deltaReporter, withFigures } from './drafting'

const question = 'What is owed on a loan of $10,000 at 5% a year for 3 years, compounded monthly?'
const figures = { question, passages: numberPassages([dwellTime, history, shorePower]) }
const given = (name: string, value: number, passageId: string | null) => ({ name, value, passageId })

describe('calculations of a draft', () => {
  it('use numbers of the question', async () => {
    const { text, workings, faults } = await withFigures('You would owe ${{ 10000 * (1 + 0.05/12)^(12*3) }}.', figures)
    expect(text).toBe('You would owe $11,614.72.')
    expect(faults).toEqual([])
    expect(workings).toMatchObject([
      {
        what: 'You would owe $11,614.72.',
        formula: 'a * (1 + b / 12) ^ (12 * c)',
        inputs: [given('a', 10_000, null), given('b', 0.05, null), given('c', 3, null)],
      },
    ])
    expect(workings[0]?.result).toBeCloseTo(11_614.7223, 3)
  })

  it('use numbers of passages, cited ones first, and round to the given decimals', async () => {
    const draft = 'Aldwick takes {{ 31.5 / 18.2 | 1 }} times as long [1]. The share grew by {{ 19 - 12 }} points [3].'
    const { text, workings } = await withFigures(draft, figures)
    expect(text).toBe('Aldwick takes 1.7 times as long [1]. The share grew by 7 points [3].')
    expect(workings.map(({ what }) => what)).toEqual([
      'Aldwick takes 1.7 times as long.',
      'The share grew by 7 points.',
    ])
    expect(workings.map(({ inputs }) => inputs)).toEqual([
      [given('a', 31.5, dwellTime.id), given('b', 18.2, dwellTime.id)],
      [given('a', 19, shorePower.id), given('b', 12, shorePower.id)],
    ])
  })

  it('count items of the cited passage', async () => {
    const draft = 'The table has {{ count("Aldwick", "Brenholm, Westland", "New  Corvey") }} harbours [1].'
    expect(await withFigures(draft, figures)).toMatchObject({
      text: 'The table has 3 harbours [1].',
      workings: [{ formula: 'count("Aldwick", "Brenholm, Westland", "New  Corvey")', inputs: [], result: 3 }],
      faults: [],
    })
  })

  it('work inside a table', async () => {
    const draft =
      '| Harbour | Days |\n|---|---|\n| Aldwick | {{ 31.5 / 24 | 2 }} [1] |\n| New Corvey | {{ 55 / 24 | 2 }} [1] |'
    const { text, workings } = await withFigures(draft, figures)
    expect(text).toContain('| Aldwick | 1.31 [1] |\n| New Corvey | 2.29 [1] |')
    expect(workings.map(({ what }) => what)).toEqual(['Aldwick | 1.31', 'New Corvey | 2.29'])
  })

  it.each([
    ['a number without a source', 'It is {{ 31.5 * 77 }} hours [1].', /77 stands neither/, 'It is 2,425.5 hours [1].'],
    ['a unit', 'It is {{ 31.5 hours * 2 }} [1].', /cannot be worked out/, 'It is {{ 31.5 hours * 2 }} [1].'],
    ['plain numbers alone', 'It is {{ 7 * 9 }} [1].', /uses no number/, 'It is 63 [1].'],
    [
      'an item that the passage lacks',
      'It has {{ count("Aldwick", "Oslo") }} rows [1].',
      /each once/,
      'It has 2 rows [1].',
    ],
    ['an item counted twice', 'It has {{ count("Aldwick", "aldwick") }} rows [1].', /each once/, 'It has 2 rows [1].'],
    ['a thousands separator', 'It is {{ 10,000 * 2 }} [1].', /cannot be worked out/, 'It is {{ 10,000 * 2 }} [1].'],
  ])('fail with %s', async (_, draft, fault, written) => {
    const { text, workings, faults } = await withFigures(draft, figures)
    expect(text).toBe(written)
    expect(workings).toEqual([])
    expect(faults).toEqual([expect.stringMatching(fault)])
  })
})

const scene = { question: 'What is 5 times 3?', passages: numberPassages([dwellTime, history, pilots]) }
const grade = { relevant: true, level: 'high' as const, confidence: 0.9, reason: '' }

describe('a draft', () => {
  it('keeps its Markdown, and cites only given passages', async () => {
    const text =
      '- Sea pilots guide ships [3].\n- Aldwick has 12 cranes [1, 99].\n\n| Harbour | Cranes |\n|---|---|\n| Aldwick | 12 [1] |'
    expect(await toDraft(`\n${text}\n`, scene)).toEqual({
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
  ])('has a fault if a piece cites no passage or a calculation fails: %s', async (text, fault) => {
    const found = await faultIn(text, scene)
    if (fault === null) expect(found).toBeNull()
    else expect(found).toMatch(fault)
  })

  it('is streamed up to the first calculation, and then as a whole once it is calculated', () => {
    const pieces: string[] = []
    const told = deltaReporter((piece) => void pieces.push(piece))
    for (const piece of [' It is', ' 5 [1]. It', ' makes {', '{ 5 * 3 }} [1].']) told.hear(piece)
    expect(pieces.join('')).toBe('It is 5 [1]. It makes ')
    told.finish('It is 5 [1]. It makes 15 [1].')
    expect(pieces.join('')).toBe('It is 5 [1]. It makes 15 [1].')
  })

  it('gets notes by number on the best, outdated and low-authority passages', () => {
    const graded = numberPassages([
      { ...dwellTime, grade: { ...grade, confidence: 0.5, outdated: true } },
      { ...history, grade: { ...grade, relevant: false, level: 'low' } },
      { ...pilots, grade: { ...grade, authority: 'low' } },
    ])
    expect(gradeNotes(graded)).toBe(
      ' Most relevant passages: 3, 1. Outdated, so used only for what held before: 1. Of low authority: 3.',
    )
    expect(gradeNotes(scene.passages)).toBe('')
  })
})
