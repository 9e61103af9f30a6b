import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '@plumbline/platform'
import type { IndexedDocument, IndexedPassage } from '@plumbline/ports/passage-index'
import { isAbsent } from './api'
import { leftoversIn } from './leftovers'
import { createLines } from './line'
import { isHeld } from './manifests'
import { uuidOf } from './names'
import type { Parts } from './parts'
import { is, labelsOf } from './payload'
import { batchesOf, bytesOf, digestOf, following, pointOf, upsert } from './versions'

const mostAttempts = 20

export type Writing = {
  write(
    tenant: string,
    document: IndexedDocument,
    passages: readonly IndexedPassage[],
    signal: AbortSignal,
  ): Promise<void>
  remove(tenant: string, documentId: string, signal: AbortSignal): Promise<void>
}

type Versions = {
  /** Whether the document now is as told; if not, others changed it or its collection meanwhile. */
  turn(
    tenant: string,
    document: IndexedDocument,
    passages: readonly IndexedPassage[],
    digest: string,
    signal: AbortSignal,
  ): Promise<boolean>
  release(tenant: string, documentId: string, signal: AbortSignal): Promise<boolean>
}

/**
 * A document's manifest says which version of it counts. A version is written whole before the manifest turns to it, and the manifest
 * turns only from the version that was read before: of two writers one begins again, knowing that its points may be gone.
 */
const versionsIn = ({ api, names, collections, manifests }: Parts): Versions => {
  const { drop, tidy, exist, count } = leftoversIn({ api, names, collections })
  return {
    turn: async (tenant, document, passages, digest, signal) => {
      const dimensions = passages[0]?.vector.length ?? 0
      const alias = names.alias(document.space, dimensions)
      const before = await manifests.read(tenant, document.id, signal)
      const homes = await collections.homes(alias, dimensions, signal)
      const isThere = isHeld(before) && before.digest === digest && before.homes.includes(homes[0])
      // A collection may have been lost and made anew under its name.
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
      // A collection gave way to a rebuilt one meanwhile, or someone removed it.
      if (!isAbsent(error)) throw error
    }
  }
  throw new AppError('index.failed', 'later', {
    cause: new Error(`Others changed the document or its collection ${mostAttempts} times while it was being written.`),
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
      // Until the next attempt finds it otherwise.
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
