import { describe, expect, it } from 'vitest'
import { claim } from '../spec/given.spec'
import { groundingScore } from './grounding'

const part = (outcome: 'answered' | 'not-in-documents' | 'missed') => ({ what: 'q', outcome })

describe('grounding score', () => {
  it('is the share of the counting claims that are supported', () => {
    const claims = [claim('supported'), claim('supported'), claim('unsupported'), claim('contradicted')]
    expect(groundingScore({ claims, parts: [] })).toBe(0.5)
    expect(groundingScore({ claims: [claim('supported'), claim('unsupported', { kind: 'style' })], parts: [] })).toBe(1)
  })
  it('without a counting claim stands only where nothing is answered either', () => {
    expect(groundingScore({ claims: [], parts: [part('not-in-documents'), part('missed')] })).toBe(1)
    expect(groundingScore({ claims: [claim('supported', { kind: 'style' })], parts: [part('answered')] })).toBe(0)
    expect(groundingScore({ claims: [], parts: [] })).toBe(0)
  })
})
