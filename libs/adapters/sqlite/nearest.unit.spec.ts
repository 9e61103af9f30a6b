import { describe, expect, it } from 'vitest'
import { scanOnce } from './nearest'
import type { FoundRow } from './protocol'

const rows = (k: number): FoundRow[] => Array.from({ length: k }, (_, at) => ({ passage: `${at}`, score: 1 / (at + 1), vector: null }))
const scope = { tenant: 't', collections: ['main'] }
const { signal } = new AbortController()
const bench = () => {
  const scans: number[] = []
  const nearest = scanOnce((_scope, _vector, k) => {
    scans.push(k)
    return Promise.resolve(rows(k))
  })
  return { nearest, scans }
}

describe('one scan a query', () => {
  it('serves what is asked of one vector in one turn, each as much as it asked for', async () => {
    const { nearest, scans } = bench()
    const vector = new Float32Array(2)
    const [few, many] = await Promise.all([nearest(scope, vector, 2, signal), nearest(scope, vector, 5, signal)])
    expect([few.length, many.length, scans]).toEqual([2, 5, [5]])
    await nearest(scope, vector, 3, signal)
    expect(scans).toEqual([5, 3])
  })

  it('never mixes scopes, vectors or signals', async () => {
    const { nearest, scans } = bench()
    const vector = new Float32Array(2)
    await Promise.all([nearest(scope, vector, 1, signal), nearest({ ...scope, tenant: 'u' }, vector, 2, signal), nearest(scope, new Float32Array(2), 3, signal), nearest(scope, vector, 4, new AbortController().signal)])
    expect(scans).toEqual([1, 2, 3, 4])
  })

  it('fails everyone it served, and nobody after', async () => {
    let broken = true
    const nearest = scanOnce(() => (broken ? Promise.reject(new Error('down')) : Promise.resolve(rows(1))))
    const vector = new Float32Array(2)
    const both = await Promise.allSettled([nearest(scope, vector, 1, signal), nearest(scope, vector, 1, signal)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    broken = false
    expect(await nearest(scope, vector, 1, signal)).toHaveLength(1)
  })
})
