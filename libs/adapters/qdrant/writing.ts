import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IndexedDocument, IndexedPassage, PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import type { Schemas } from '@qdrant/js-client-rest'
import { AppError } from '@plumbline/platform'
import { ask, isAbsent, type Api } from './api'
import { vectorNames } from './collections'
import { is, labelsOf, uuidOf, type PointPayload, type Tombstone } from './payload'
import { sparseForm, sparsePassage } from './sparse'
import { isHeld, leftoversIn, type Parts } from './manifests'

const createLines = (): ((key: string, work: () => Promise<void>) => Promise<void>) => {
  const last = new Map<string, Promise<void>>()
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    try {
      await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}

/** Limits the number of points in one request, because Qdrant accepts only 32 MB per request by default. */
const mostPoints = 128
const mostBytes = 4_000_000
const bytesPerNumber = 21

const digestOf = async (
  document: IndexedDocument,
  passages: readonly IndexedPassage[],
  signal: AbortSignal,
): Promise<string> => {
  const hash = createHash('sha256').update(JSON.stringify([sparseForm, document]))
  for (const [at, { passage, vector }] of passages.entries()) {
    if (at % mostPoints === mostPoints - 1) await nextTurn()
    signal.throwIfAborted()
    hash.update(JSON.stringify(passage)).update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
  }
  return hash.digest('hex')
}

type Version = Tombstone & { digest: string }
/** Gives each version of a document a higher epoch than the version before, even if the clocks of servers differ. */
const following = (before: Tombstone | undefined, digest: string): Version => {
  const epoch = Math.max(Date.now(), (before?.epoch ?? 0) + 1)
  return { epoch, digest, version: `${epoch.toString(36)}-${digest.slice(0, 24)}` }
}

const pointOf = (
  tenant: string,
  document: IndexedDocument,
  { version, epoch }: Version,
  home: string,
  { passage, vector }: IndexedPassage,
) => ({
  id: uuidOf('passage', tenant, document.id, version, passage.id),
  vector: {
    ...(vector.length > 0 && { [vectorNames.dense]: Array.from(vector) }),
    [vectorNames.words]: sparsePassage(passage),
  },
  payload: {
    ...labelsOf(tenant, document),
    version,
    epoch,
    home,
    position: passage.position,
    passage,
  } satisfies PointPayload,
})
const bytesOf = ({ vector, passage }: IndexedPassage): number =>
  vector.length * bytesPerNumber + JSON.stringify(passage).length * 3

export const batchesOf = function* <Item>(items: readonly Item[], sizeOf: (item: Item) => number): Generator<Item[]> {
  let [batch, bytes]: [Item[], number] = [[], 0]
  for (const item of items) {
    const size = sizeOf(item)
    if (batch.length > 0 && (batch.length === mostPoints || bytes + size > mostBytes)) {
      yield batch
      ;[batch, bytes] = [[], 0]
    }
    batch.push(item)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

export const upsert = (
  api: Api,
  collection: string,
  points: Schemas['PointStruct'][],
  signal: AbortSignal,
): Promise<unknown> => ask(api.upsertPoints, { collection_name: collection, wait: true, points }, signal)

const mostAttempts = 20

type Writing = Pick<PassageIndex, 'write' | 'remove'>

type Versions = {
  /**
   * Writes a new version of a document and makes it current, or returns false if the document or its collection was
   * changed in the meantime.
   */
  turn(
    tenant: string,
    document: IndexedDocument,
    passages: readonly IndexedPassage[],
    digest: string,
    signal: AbortSignal,
  ): Promise<boolean>
  release(tenant: string, documentId: string, signal: AbortSignal): Promise<boolean>
}

/** If two processes write a document at once, one of them writes again. The other may have removed its points. */
const versionsIn = ({ api, names, collections, manifests }: Parts): Versions => {
  const { drop, tidy, exist, count } = leftoversIn({ api, names, collections })
  return {
    turn: async (tenant, document, passages, digest, signal) => {
      const dimensions = passages[0]?.vector.length ?? 0
      const alias = names.alias(document.space, dimensions)
      const before = await manifests.read(tenant, document.id, signal)
      const homes = await collections.homes(alias, dimensions, signal)
      const isThere = isHeld(before) && before.digest === digest && before.homes.includes(homes[0])
      // The stored passages are counted, because the collection may have been lost and created again under the same
      // name.
      if (
        isThere &&
        (await count(homes[0], tenant, document.id, [is('version', before.version)], signal)) === before.size
      ) {
        await tidy(tenant, document.id, before, signal)
        return true
      }
      const version = following(before, digest)
      for (const batch of batchesOf(passages, bytesOf)) {
        for (const one of homes)
          await upsert(
            api,
            one,
            batch.map((passage) => pointOf(tenant, document, version, one, passage)),
            signal,
          )
        await nextTurn()
      }
      const isHome = async (): Promise<boolean> => homes.includes((await collections.behind(alias, signal)) ?? '')
      if (!(await isHome())) return false
      const next = { ...labelsOf(tenant, document), ...version, alias, homes, size: passages.length, since: Date.now() }
      if (!(await manifests.replace(tenant, document.id, before, next, signal))) {
        for (const one of homes) await drop(one, tenant, document.id, version.version, signal)
        return false
      }
      await tidy(tenant, document.id, version, signal)
      return isHome()
    },
    release: async (tenant, documentId, signal) => {
      const before = await manifests.read(tenant, documentId, signal)
      if (!isHeld(before) && !(await exist(tenant, documentId, signal))) return true
      const { version, epoch } = following(before, uuidOf('removed', tenant, documentId))
      if (!(await manifests.replace(tenant, documentId, before, { version, epoch }, signal))) return false
      await tidy(tenant, documentId, { version, epoch }, signal)
      return true
    },
  }
}

const untilDone = async (attempt: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < mostAttempts; tries += 1) {
    try {
      if (await attempt()) return
    } catch (error) {
      // The attempt is repeated only if the collection is missing, because a rebuild may have replaced the collection.
      if (!isAbsent(error)) throw error
    }
  }
  throw new AppError('index.failed', 'later', {
    cause: new Error(`The document or its collection changed ${mostAttempts} times while it was being written.`),
  })
}

export const writingTo = (parts: Parts): Writing => {
  const { turn, release } = versionsIn(parts)
  const inLine = createLines()
  let ready = false
  const write: Writing['write'] = async (tenant, document, passages, signal) => {
    const digest = await digestOf(document, passages, signal)
    await untilDone(async () => {
      if (!ready) await parts.collections.documents(signal)
      ready = false
      const isTurned = await turn(tenant, document, passages, digest, signal)
      ready = true
      return isTurned
    })
  }
  const remove: Writing['remove'] = (tenant, documentId, signal) => untilDone(() => release(tenant, documentId, signal))
  return {
    write: (tenant, document, passages, signal) =>
      inLine(uuidOf(tenant, document.id), () =>
        passages.length === 0 ? remove(tenant, document.id, signal) : write(tenant, document, passages, signal),
      ),
    remove: (tenant, documentId, signal) =>
      inLine(uuidOf(tenant, documentId), () => remove(tenant, documentId, signal)),
  }
}
