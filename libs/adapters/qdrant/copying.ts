import { ask, scrolled, type Api, type Filter } from './api'
import type { Parts } from './parts'
import { leftoversIn } from './leftovers'
import { is, isOneOf, type Labels, type Manifest } from './payload'
import { batchesOf, upsert } from './versions'

export type Move = { alias: string; from: string; to: string }

type Copied = { id: string; payload: Pick<Labels & Manifest, 'tenant' | 'documentId' | 'version'> }

const documentsAtOnce = 64
const pointsAtOnce = 128

const inFrom = ({ alias, from, to }: Move): Filter => ({
  must: [is('alias', alias), is('homes', from)],
  must_not: [is('homes', to)],
})

const copyPoints = async (api: Api, { from, to }: Move, versions: string[], signal: AbortSignal): Promise<void> => {
  const asked = {
    collection_name: from,
    filter: { must: [isOneOf('version', versions)] },
    limit: pointsAtOnce,
    with_payload: true,
    with_vector: true,
  }
  for await (const points of scrolled(api, asked, signal)) {
    const copies = points.map(({ id, payload, vector }) => ({
      id,
      vector: vector ?? {},
      payload: { ...payload, home: to },
    }))
    for (const batch of batchesOf(copies, (copy) => Buffer.byteLength(JSON.stringify(copy))))
      await upsert(api, to, batch as Parameters<typeof upsert>[2], signal)
  }
}

/** Copies what counts and tells its manifest that the other collection has the whole of it too, if it counts still. */
export const copyingIn = ({ api, names, collections }: Parts) => {
  const { drop } = leftoversIn({ api, names, collections })
  const tellHomes = (filter: Filter, homes: string[], signal: AbortSignal): Promise<unknown> =>
    ask(signal, (init) =>
      api.setPayload(
        { collection_name: names.documents, wait: true, ordering: 'strong', payload: { homes }, filter },
        init,
      ),
    )

  /** Whoever removed or replaced a document before its copy was whole did not find all of it. */
  const dropPassed = async ({ to }: Move, copied: readonly Copied[], signal: AbortSignal): Promise<void> => {
    const asked = {
      collection_name: names.documents,
      consistency: 'majority' as const,
      ids: copied.map(({ id }) => id),
      with_payload: ['version'],
      with_vector: false,
    }
    const now = new Map(
      (await ask(signal, (init) => api.getPoints(asked, init))).map(({ id, payload }) => [id, payload?.version]),
    )
    for (const { id, payload } of copied)
      if (now.get(id) !== payload.version) await drop(to, payload.tenant, payload.documentId, payload.version, signal)
  }

  const catchUp = async (move: Move, onCopied: (documents: number) => void, signal: AbortSignal): Promise<void> => {
    for (;;) {
      const asked = {
        collection_name: names.documents,
        filter: inFrom(move),
        limit: documentsAtOnce,
        with_payload: ['tenant', 'documentId', 'version'],
        with_vector: false,
      }
      const { points } = await ask(signal, (init) => api.scrollPoints(asked, init))
      if (points.length === 0) return
      const copied = points as unknown as Copied[]
      const versions = copied.map(({ payload }) => payload.version)
      await copyPoints(api, move, versions, signal)
      await tellHomes({ must: [is('alias', move.alias), isOneOf('version', versions)] }, [move.from, move.to], signal)
      await dropPassed(move, copied, signal)
      onCopied(points.length)
    }
  }

  return { catchUp, tellHomes }
}
