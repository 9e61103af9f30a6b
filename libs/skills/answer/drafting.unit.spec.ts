import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { harbours } from '../eval/harbours'
import { drafting } from './drafting'

const text = `Shore power use rose to 14% in 2021 [1]. Boarding lasts 20–30 minutes, e.g. in calm weather [3]! It is due to Dr. Lund. [4] The rest
is not reported [2][9]. Aldwick has 12 cranes [2, 1].

- Sea pilots guide ships [3].
- Dock pilots bring ships to their berth [3].`

describe('a draft in the making', () => {
  it('is the same however it is cut into pieces, and is told as it is', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 60 }), fc.nat(8), (cuts, maxSentences) => {
        const whole = drafting({ evidence: harbours, maxSentences }).finish(text)
        let told = ''
        const draft = drafting({ evidence: harbours, maxSentences, onDelta: (piece) => (told += piece) })
        const places = [0, ...cuts.sort((a, b) => a - b), text.length]
        places.slice(1).forEach((to, at) => draft.hear(text.slice(places[at], to)))
        expect(draft.finish(text)).toEqual(whole)
        expect(told).toBe(whole.text)
      }),
      { numRuns: 500, seed: inject('seed') },
    ))

  it('numbers what it cites in the order of first use, and drops what was not given', () =>
    expect(drafting({ evidence: harbours, maxSentences: 9 }).finish('Two [3]. One [1][7]. Three [3].')).toEqual({
      text: 'Two [1]. One [2]. Three [1].',
      citations: [
        { n: 1, passageId: 'pilots' },
        { n: 2, passageId: 'shore-power' },
      ],
    }))

  it('brings back nothing that did not stand', () => {
    const avoid = [
      {
        text: 'Boarding lasts 90 minutes.',
        kind: 'fact',
        verdict: 'contradicted',
        reason: '',
        passageId: null,
      } as const,
    ]
    const said = (text: string) => drafting({ evidence: harbours, maxSentences: 2, avoid }).finish(text).text
    expect(said('Boarding lasts 90 minutes [3]. It is calm [3].')).toBe('It is calm [1].')
    expect(said('Boarding lasts 90 minutes [3].')).toBe('')
  })

  it('says nothing before the first sentence is whole', () => {
    const told: string[] = []
    const draft = drafting({
      evidence: harbours,
      maxSentences: 9,
      keep: ['The first quay was built in 1874.'],
      onDelta: (piece) => void told.push(piece),
    })
    draft.hear('Boarding lasts')
    expect(told).toEqual([])
    draft.hear(' 30 minutes [3]. Then')
    expect(told).toEqual(['The first quay was built in 1874 [1].', ' Boarding lasts 30 minutes [2].'])
  })
})
