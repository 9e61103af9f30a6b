import { describe, expect, it } from 'vitest'
import type { Claim } from '@plumbline/contracts'
import { citedBy } from './citations'
import { claimOf, linesOf, stateOf, textOf } from './edit-lines'

const claim = (text: string, verdict: Claim['verdict'], passageId: string | null = 'p1'): Claim => ({
  text,
  kind: 'fact',
  verdict,
  reason: '',
  passageId,
})

describe('a draft as lines', () => {
  it.each([
    'Mars has 2 moons [1]. Its day has 24.7 h [2].',
    '# Mars\n\nIt has 2 moons [1]. They are small [2].\n\n- Phobos [1]\n- Deimos. It is far [1].\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    'Eine Aussage [1]. Und noch eine?',
  ])('is put together again as it was: %j', (text) => {
    expect(textOf(linesOf(text))).toBe(text)
  })

  it('has a line for each sentence, list item, heading and table', () => {
    const text = '# Mars\n\nIt has 2 moons [1]. They are small [2].\n\n- Deimos. It is far [1].\n\n| a |\n|---|\n| 1 |'
    expect(linesOf(text).map((line) => line.text)).toEqual([
      '# Mars',
      'It has 2 moons [1].',
      'They are small [2].',
      '- Deimos. It is far [1].',
      '| a |\n|---|\n| 1 |',
    ])
  })

  it('leaves out an emptied sentence', () => {
    const [first, ...others] = linesOf('One [1]. Two [1]. Three [1].')
    expect(textOf([first!, { ...others[0]!, text: ' ' }, others[1]!])).toBe('One [1]. Three [1].')
  })
})

describe('a sentence', () => {
  const claims = [claim('Mars has 14 moons.', 'contradicted'), claim('It is red [2].', 'supported')]
  const known = new Set([1, 2])
  it('keeps the verdict of its claim until it is changed', () => {
    const [line] = linesOf('Mars has 14 moons [1].')
    expect(stateOf(line!, claims, known)).toEqual({ verdict: 'contradicted' })
    expect(stateOf({ ...line!, text: 'Mars has 2 moons [1].' }, claims, known)).toEqual({ verdict: 'changed' })
    expect(stateOf({ ...line!, text: '' }, claims, known)).toEqual({ verdict: 'removed' })
  })
  it('names what cannot pass the check', () => {
    const [line] = linesOf('Mars is red.')
    expect(stateOf(line!, claims, known).fault).toContain('no citation')
    expect(stateOf({ ...line!, text: 'Mars is red [9].' }, claims, known).fault).toBe(
      '[9] is not a source of this answer',
    )
  })
  it('finds its claim, and a claim its numbers', () => {
    expect(claimOf('It is red [2].', claims)?.verdict).toBe('supported')
    const draft = { text: 'Mars has 14 moons [1][3]. It is red [2].', citations: [] }
    expect(citedBy(claims[0]!, draft)).toEqual([1, 3])
    expect(citedBy(claims[1]!, draft)).toEqual([2])
  })
})
