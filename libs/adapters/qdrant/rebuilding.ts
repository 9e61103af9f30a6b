import { ask, type Filter } from './api'
import type { Standing } from './collections'
import { isOneOf, is, type Manifest } from './payload'
import type { Parts } from './parts'
import { upsert } from './versions'

export type Rebuilt = { done: number; of: number }
type Move = { alias: string; from: string; to: string }

const documentsAtOnce = 64
const pointsAtOnce = 128
const dropMs = 10_000
const endMs = 600_000
/** What is being built has a longer alias. */
const vectorsLength = /^\.(\d+)$/

const inFrom = ({ alias, from, to }: Move): Filter => ({ must: [is('alias', alias), is('homes', from)], must_not: [is('homes', to)] })

/**
 * Copies what counts, document by document, and says in each manifest that the new collection has it too, if it still counts. Whoever writes
 * meanwhile writes to the old collection and is caught up with; after the alias has turned, writers notice it and write to the new one.
 */
export const rebuildingIn = ({ api, names, collections }: Parts) => {
  const copyPoints = async ({ from, to }: Move, versions: string[], signal: AbortSignal): Promise<void> => {
    let offset: string | number | undefined
    do {
      const asked = { collection_name: from, filter: { must: [isOneOf('version', versions)] }, limit: pointsAtOnce, with_payload: true, with_vector: true, ...(offset !== undefined && { offset }) }
      const { points, next_page_offset: next } = await ask(signal, (init) => api.scrollPoints(asked, init))
      const copies = points.map(({ id, payload, vector }) => ({ id, vector: vector ?? {}, payload: { ...payload, home: to } }))
      if (copies.length > 0) await upsert(api, to, copies as Parameters<typeof upsert>[2], signal)
      offset = typeof next === 'string' || typeof next === 'number' ? next : undefined
    } while (offset !== undefined)
  }
  const tellHomes = (filter: Filter, homes: string[], signal: AbortSignal): Promise<unknown> =>
    ask(signal, (init) => api.setPayload({ collection_name: names.documents, wait: true, ordering: 'strong', payload: { homes }, filter }, init))

  const catchUp = async (move: Move, onCopied: (documents: number) => void, signal: AbortSignal): Promise<void> => {
    for (;;) {
      const asked = { collection_name: names.documents, filter: inFrom(move), limit: documentsAtOnce, with_payload: ['version'], with_vector: false }
      const { points } = await ask(signal, (init) => api.scrollPoints(asked, init))
      if (points.length === 0) return
      const versions = points.map(({ payload }) => (payload as unknown as Pick<Manifest, 'version'>).version)
      await copyPoints(move, versions, signal)
      await tellHomes({ must: [is('alias', move.alias), isOneOf('version', versions)] }, [move.from, move.to], signal)
      onCopied(points.length)
    }
  }

  const count = async (alias: string, signal: AbortSignal): Promise<number> =>
    (await ask(signal, (init) => api.countPoints({ collection_name: names.documents, filter: { must: [is('alias', alias)] }, exact: true }, init))).count

  const rebuildOne = async ({ alias, collection: from }: Standing, onCopied: (documents: number) => void, signal: AbortSignal) => {
    const move = { alias, from, to: names.next(alias) }
    for (const left of await collections.left(alias, signal)) await collections.drop(left, signal)
    try {
      await collections.build(move.to, Number(/\d+$/.exec(alias)?.[0]), signal)
      await catchUp(move, onCopied, signal)
    } catch (error) {
      await collections.drop(move.to, AbortSignal.timeout(dropMs)).catch(() => undefined)
      throw error
    }
    signal.throwIfAborted()
    // From here on there is no way back: nobody knows whether a call that was given up has turned the alias.
    const toEnd = AbortSignal.timeout(endMs)
    await collections.turn(alias, move.to, toEnd)
    await catchUp(move, onCopied, toEnd)
    await tellHomes({ must: [is('alias', alias), is('homes', move.to)] }, [move.to], toEnd)
    await collections.drop(from, toEnd)
  }

  return async (space: string, signal: AbortSignal, onProgress: (progress: Rebuilt) => void = () => undefined): Promise<void> => {
    const found = (await collections.standing(signal)).filter(({ alias }) => alias.startsWith(names.space(space)) && vectorsLength.test(alias.slice(names.space(space).length - 1)))
    const counts = await Promise.all(found.map(({ alias }) => count(alias, signal)))
    const of = counts.reduce((sum, one) => sum + one, 0)
    let done = 0
    const onCopied = (documents: number): void => onProgress({ done: (done += documents), of: Math.max(of, done) })
    for (const one of found) await rebuildOne(one, onCopied, signal)
  }
}

