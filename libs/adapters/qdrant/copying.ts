import { ask, type Filter } from './api'
import type { Parts } from './parts'
import { is, isOneOf, type Manifest } from './payload'
import { upsert } from './versions'

export type Move = { alias: string; from: string; to: string }

const documentsAtOnce = 64
const pointsAtOnce = 128

const inFrom = ({ alias, from, to }: Move): Filter => ({ must: [is('alias', alias), is('homes', from)], must_not: [is('homes', to)] })

/** Copies what counts and tells its manifest that the other collection has the whole of it too, if it counts still. */
export const copyingIn = ({ api, names }: Pick<Parts, 'api' | 'names'>) => {
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

  return { catchUp, tellHomes }
}
