import { randomUUID } from 'node:crypto'
import type { Passage } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import type { LaterVectors, Space } from '@plumbline/ports/passage-index/passage-index'
import type { Schemas } from '@qdrant/js-client-rest'
import { ask, unlessAbsent, type Condition, type Filter } from './api'
import { vectorNames } from './collections'
import { isHeld, leftoversIn, type Parts } from './manifests'
import { is, isOneOf, ofDocument, uuidOf, type Labels, type Manifest, type PointPayload } from './payload'
import { batchesOf, upsert } from './writing'

const passagesPerBatch = 64
/** Qdrant groups documents by size (in passages) and returns at most this many groups. Real data has fewer groups. */
const mostSizes = 10_000

type StoredVersion = Labels & Manifest
type Page = { points: Schemas['Record'][]; next: string | number | null }

/**
 * Matches the documents whose passages are not stored under this alias. The condition on `size` excludes removed
 * documents, because their tombstones have no size.
 */
const without = (alias: string, ...more: Condition[]): Filter => ({
  must: [{ key: 'size', range: { gte: 1 } }, ...more],
  must_not: [is('alias', alias)],
})

const progressOf = ({ filling }: StoredVersion, alias: string): NonNullable<Manifest['filling']> =>
  filling?.alias === alias ? filling : { alias, done: 0, next: null }

const passageIn = ({ payload }: Schemas['Record']): Passage =>
  (payload as unknown as Pick<PointPayload, 'passage'>).passage

/** The version of copied points (passages). Searches skip them until the document's manifest names this version. */
const copyVersion = ({ version }: StoredVersion, alias: string): string =>
  `${version}-${uuidOf('copy', alias).slice(0, 8)}`

const readingIn = ({ api, names, collections }: Parts) => {
  const { count } = leftoversIn({ api, names, collections })

  /**
   * Throws if passages of the document are missing. Otherwise `finish` would always fail, and the document would be
   * embedded again and again.
   */
  const checkComplete = async (
    { homes, tenant, documentId, version, size }: StoredVersion,
    signal: AbortSignal,
  ): Promise<void> => {
    const points = await count(homes[0] ?? '', tenant, documentId, [is('version', version)], signal)
    if (points === size) return
    const cause = new Error(`Qdrant has ${points} of ${size} passages of the document ${documentId}. Re-index it.`)
    throw new AppError('index.failed', 'later', { cause })
  }

  const pageOf = async (held: StoredVersion, alias: string, signal: AbortSignal): Promise<Page> => {
    const { next } = progressOf(held, alias)
    const asked = {
      collection_name: held.homes[0] ?? '',
      filter: ofDocument(held.tenant, held.documentId, is('version', held.version)),
      limit: passagesPerBatch,
      with_payload: true,
      with_vector: true,
      ...(next !== null && { offset: next }),
    }
    const { points, next_page_offset: after } = await ask(api.scrollPoints, asked, signal)
    return { points, next: typeof after === 'string' || typeof after === 'number' ? after : null }
  }

  /**
   * Finds a document that is not stored under the alias. Starts at a random id, so that several ingestors find
   * different documents.
   */
  const anyWithout = async (alias: string, signal: AbortSignal): Promise<StoredVersion | undefined> => {
    const asked = {
      collection_name: names.documents,
      filter: without(alias),
      limit: 1,
      with_payload: true,
      with_vector: false,
    }
    for (const offset of [{ offset: randomUUID() }, {}]) {
      const { points } = await unlessAbsent(ask(api.scrollPoints, { ...asked, ...offset }, signal), { points: [] })
      if (points[0]) return points[0].payload as unknown as StoredVersion
    }
    return undefined
  }
  return { checkComplete, pageOf, anyWithout }
}

const copyingIn = ({ api, names, collections, manifests }: Parts) => {
  const { count, tidy } = leftoversIn({ api, names, collections })

  /** Changes fields of a document's manifest. Changes nothing if the document was replaced in the meantime. */
  const setManifest = (held: StoredVersion, payload: Partial<Manifest>, signal: AbortSignal): Promise<unknown> => {
    const { tenant, documentId, version } = held
    const filter = ofDocument(tenant, documentId, is('version', version))
    const asked = { collection_name: names.documents, wait: true, ordering: 'strong' as const, payload, filter }
    return ask(api.setPayload, asked, signal)
  }

  const copy = async (
    { version, homes }: { version: string; homes: readonly string[] },
    { points }: Page,
    vectors: readonly Float32Array[],
    signal: AbortSignal,
  ): Promise<void> => {
    for (const home of homes) {
      const copies = points.map(({ id, payload, vector }, at) => ({
        id,
        vector: { ...(vector as object), [vectorNames.dense]: Array.from(vectors[at] ?? []) },
        payload: { ...payload, version, home },
      }))
      for (const batch of batchesOf(copies, (one) => Buffer.byteLength(JSON.stringify(one))))
        await upsert(api, home, batch as Parameters<typeof upsert>[2], signal)
    }
  }

  /**
   * Makes the copied points current, so that searches find them. If copies are missing, for example because of a
   * rebuild, the copying starts again.
   */
  const finish = async (
    held: StoredVersion,
    alias: string,
    homes: [string, ...string[]],
    signal: AbortSignal,
  ): Promise<void> => {
    const { tenant, documentId, size } = held
    const version = copyVersion(held, alias)
    const restart = { filling: { alias, done: 0, next: null } }
    const isHome = async (): Promise<boolean> => homes.includes((await collections.behind(alias, signal)) ?? '')
    const counts = await Promise.all(
      homes.map((home) => count(home, tenant, documentId, [is('version', version)], signal)),
    )
    if (!counts.every((points) => points === size) || !(await isHome())) {
      await setManifest(held, restart, signal)
      return
    }
    const { filling: _, ...kept } = held
    const next = { ...kept, version, alias, homes, since: Date.now() }
    if (!(await manifests.replace(tenant, documentId, held, next, signal))) return
    if (await isHome()) await tidy(tenant, documentId, next, signal)
    else await manifests.replace(tenant, documentId, next, { ...held, ...restart }, signal)
  }
  return { setManifest, copy, finish }
}

/**
 * Copies the points (stored passages) of documents and adds vectors of another embedder. Searches find the copies once
 * the document's manifest names their version.
 */
export const laterVectorsIn = (parts: Parts): LaterVectors => {
  const { api, names, collections, manifests } = parts
  const { drop } = leftoversIn(parts)
  const { checkComplete, pageOf, anyWithout } = readingIn(parts)
  const { setManifest, copy, finish } = copyingIn(parts)
  const aliasOf = ({ name, dimensions }: Space): string => names.alias(name, dimensions)

  return {
    next: async (space, signal) => {
      const alias = aliasOf(space)
      const held = await anyWithout(alias, signal)
      if (!held) return null
      const { tenant, collection, documentId, epoch, size } = held
      const { done } = progressOf(held, alias)
      if (done === 0) await checkComplete(held, signal)
      const { points } = await pageOf(held, alias, signal)
      const passages = points.map((point, at) => ({ key: done + at, passage: passageIn(point) }))
      const version = passages[0]?.passage.version ?? ''
      return { tenant, collection, documentId, version, document: epoch, from: done, of: size, passages }
    },
    add: async (space, { tenant, documentId, document: epoch, from }, vectors, signal) => {
      const alias = aliasOf(space)
      const held = await manifests.read(tenant, documentId, signal)
      if (!isHeld(held) || held.epoch !== epoch || held.alias === alias) return
      if (progressOf(held, alias).done !== from) return
      const page = await pageOf(held, alias, signal)
      const homes = await collections.homes(alias, space.dimensions, signal)
      const version = copyVersion(held, alias)
      await copy({ version, homes }, page, vectors, signal)
      const done = from + page.points.length
      if (page.next !== null) await setManifest(held, { filling: { alias, done, next: page.next } }, signal)
      else await finish(held, alias, homes, signal)
      // If the document was replaced in the meantime, the copies are removed here. The usual clean-up may have run
      // before the copies existed.
      if ((await manifests.read(tenant, documentId, signal))?.epoch === epoch) return
      for (const home of homes) await drop(home, tenant, documentId, version, signal)
    },
    missing: async (space, within, signal) => {
      const own = within ? [is('tenant', within.tenant), isOneOf('collection', [within.collection])] : []
      const filter = without(aliasOf(space), ...own)
      const asked = { collection_name: names.documents, key: 'size', filter, limit: mostSizes, exact: true }
      const { hits } = await unlessAbsent(ask(api.facet, asked, signal), { hits: [] })
      return hits.reduce((sum, { value, count: documents }) => sum + Number(value) * documents, 0)
    },
  }
}
