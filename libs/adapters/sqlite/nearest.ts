import type { Scope } from '@plumbline/ports/passage-index'
import type { FoundRow } from './protocol'

export type Nearest = (scope: Scope, vector: Float32Array, k: number, signal: AbortSignal) => Promise<FoundRow[]>

/** Similarity and MMR of one query ask for the same neighbours in the same turn: one scan serves both. */
export const scanOnce = (scan: Nearest): Nearest => {
  type Asked = { scope: Scope; signal: AbortSignal; k: number; rows: Promise<FoundRow[]> }
  const turn = new Map<Float32Array, Asked>()
  return async (scope, vector, k, signal) => {
    let asked = turn.get(vector)
    if (asked && asked.scope === scope && asked.signal === signal) asked.k = Math.max(asked.k, k)
    else {
      const first: Asked = { scope, signal, k, rows: Promise.resolve([]) }
      first.rows = Promise.resolve().then(() => {
        turn.delete(vector)
        return scan(scope, vector, first.k, signal)
      })
      turn.set(vector, first)
      asked = first
    }
    return (await asked.rows).slice(0, k)
  }
}
