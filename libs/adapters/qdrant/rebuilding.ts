import { AppError } from '@plumbline/platform'
import { ask, scrollPoints, type Api, type Filter } from './api'
import { leftoversIn, type Parts } from './manifests'
import { is, isOneOf, type Labels, type Manifest } from './payload'
import { batchesOf, upsert } from './writing'
import type { AliasTarget, Collections } from './collections'

type Move = { alias: string; from: string; to: string }

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
  for await (const points of scrollPoints(api, asked, signal)) {
    const copies = points.map(({ id, payload, vector }) => ({
      id,
      vector: vector ?? {},
      payload: { ...payload, home: to },
    }))
    for (const batch of batchesOf(copies, (copy) => Buffer.byteLength(JSON.stringify(copy))))
      await upsert(api, to, batch as Parameters<typeof upsert>[2], signal)
  }
}

/**
 * Copies documents to a new Qdrant collection. The manifest of a copied document then lists this collection too, unless
 * the document has changed in the meantime.
 */
const copyingIn = ({ api, names, collections }: Parts) => {
  const { drop } = leftoversIn({ api, names, collections })
  const tellHomes = (filter: Filter, homes: string[], signal: AbortSignal): Promise<unknown> => {
    const asked = { collection_name: names.documents, wait: true, ordering: 'strong' as const }
    return ask(api.setPayload, { ...asked, payload: { homes }, filter }, signal)
  }

  const dropPassed = async ({ to }: Move, copied: readonly Copied[], signal: AbortSignal): Promise<void> => {
    const asked = {
      collection_name: names.documents,
      consistency: 'majority' as const,
      ids: copied.map(({ id }) => id),
      with_payload: ['version'],
      with_vector: false,
    }
    const now = new Map((await ask(api.getPoints, asked, signal)).map(({ id, payload }) => [id, payload?.version]))
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
      const { points } = await ask(api.scrollPoints, asked, signal)
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

export type Rebuilt = { done: number; of: number }

const dropMs = 10_000
const endMs = 600_000
/** Matches the alias of a collection in use. A collection that a rebuild is filling has a longer alias. */
const space = /^[^.]+\.\d+$/

/** Throws if another rebuild of the alias is running. Two rebuilds would overwrite each other's manifests. */
const seeAlone = async (collections: Collections, { alias, to }: Move, signal: AbortSignal): Promise<void> => {
  const other = (await collections.standing(signal)).find(
    (one) => one.alias.startsWith(`${alias}.`) && one.collection !== to,
  )?.collection
  if (other !== undefined)
    throw new AppError('index.failed', 'never', {
      cause: new Error(
        `${alias} is already being rebuilt into ${other}. If that rebuild has died, delete this collection and start again.`,
      ),
    })
}

/** Documents can be written during a rebuild. A writer that wrote only to the old collection repeats its write. */
export const rebuildingIn = (parts: Parts) => {
  const { api, names, collections } = parts
  const { catchUp, tellHomes } = copyingIn(parts)
  const count = async (alias: string, signal: AbortSignal): Promise<number> => {
    const asked = { collection_name: names.documents, filter: { must: [is('alias', alias)] }, exact: true }
    return (await ask(api.countPoints, asked, signal)).count
  }

  const rebuildOne = async (
    { alias, collection: from }: AliasTarget,
    onCopied: (documents: number) => void,
    signal: AbortSignal,
  ) => {
    const move = { alias, from, to: names.next(alias) }
    for (const left of await collections.left(alias, signal)) await collections.drop(left, signal)
    await seeAlone(collections, move, signal)
    try {
      await collections.build(move.to, Number(/\d+$/.exec(alias)?.[0]), signal)
      await seeAlone(collections, move, signal)
      await catchUp(move, onCopied, signal)
      signal.throwIfAborted()
    } catch (error) {
      await collections.drop(move.to, AbortSignal.timeout(dropMs)).catch(() => undefined)
      throw error
    }
    // The signal is ignored from here on, because an aborted call may still have changed the alias.
    const toEnd = AbortSignal.timeout(endMs)
    await collections.turn(alias, move.to, toEnd)
    await catchUp(move, onCopied, toEnd)
    await tellHomes({ must: [is('alias', alias), is('homes', move.to)] }, [move.to], toEnd)
    await collections.drop(from, toEnd)
  }

  return async (signal: AbortSignal, onProgress: (progress: Rebuilt) => void = () => undefined): Promise<void> => {
    const found = (await collections.standing(signal)).filter(
      ({ alias }) => alias.startsWith(names.spaces) && space.test(alias.slice(names.spaces.length)),
    )
    const counts = await Promise.all(found.map(({ alias }) => count(alias, signal)))
    const of = counts.reduce((sum, one) => sum + one, 0)
    let done = 0
    const onCopied = (documents: number): void => onProgress({ done: (done += documents), of: Math.max(of, done) })
    for (const one of found) await rebuildOne(one, onCopied, signal)
  }
}
