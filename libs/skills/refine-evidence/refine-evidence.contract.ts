import { describe, expect, it } from 'vitest'
import { dwellTime, pilots } from '../skill/fixtures.spec'
import type { Call, RefineEvidence } from '../skill/skill'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const flat = (text: string): string => text.replace(/\s+/g, ' ')

export const refineEvidenceContract = (label: string, refineEvidence: () => RefineEvidence): void => {
  const refine = (question: string, passage = pilots) => refineEvidence()({ question, passage }, call)

  describe(`refineEvidence: ${label}`, () => {
    it('returns strips word for word and in order', async () => {
      const strips = await refine('How long does boarding last, and why do pilots not work during storms?')
      const places = strips.map((strip) => flat(pilots.text).indexOf(flat(strip)))
      expect(strips.length).toBeGreaterThanOrEqual(2)
      expect(places.every((place) => place >= 0)).toBe(true)
      expect(places).toEqual([...places].sort((a, b) => a - b))
    })

    it('keeps strips that bear on the question', async () =>
      expect((await refine('How long does boarding last?')).join(' ')).toContain('20–30 minutes'))

    it('keeps a table whole, with its header', async () => {
      const strips = await refine('How many cranes does Aldwick have?', dwellTime)
      expect(strips.join('\n')).toContain('| Harbour | Mean dwell time (hours) | Cranes | Crane type |')
      expect(strips.join('\n')).toContain('| Aldwick | 31.5 | 12 | gantry |')
    })

    it('stops when its signal aborts', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect(refineEvidence()({ question: 'q', passage: pilots }, aborted)).rejects.toThrow()
    })
  })
}
