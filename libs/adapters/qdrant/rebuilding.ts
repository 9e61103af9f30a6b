import { AppError } from '@plumbline/platform'
import type { Standing } from './aliases'
import { ask } from './api'
import type { Collections } from './collections'
import { copyingIn, type Move } from './copying'
import type { Parts } from './parts'
import { is } from './payload'

/** In documents. */
export type Rebuilt = { done: number; of: number }

const dropMs = 10_000
const endMs = 600_000
/** An embedder and the length of its vectors; what is being built has a longer alias. */
const space = /^[^.]+\.\d+$/

/** Two at once would each undo what the other has told the manifests. */
const seeAlone = async (collections: Collections, { alias, to }: Move, signal: AbortSignal): Promise<void> => {
  const other = (await collections.standing(signal)).find(
    (one) => one.alias.startsWith(`${alias}.`) && one.collection !== to,
  )?.collection
  if (other !== undefined)
    throw new AppError('index.failed', 'never', {
      cause: new Error(
        `${alias} is being rebuilt already, into ${other}. If that rebuild has died, delete this collection and begin again.`,
      ),
    })
}

/**
 * Builds a second collection beside the one that serves, which whoever writes meanwhile writes to as well, and copies into it what counted
 * before. When nothing is missing the alias turns; a writer that did not know of either notices it then and writes again.
 */
export const rebuildingIn = (parts: Parts) => {
  const { api, names, collections } = parts
  const { catchUp, tellHomes } = copyingIn(parts)
  const count = async (alias: string, signal: AbortSignal): Promise<number> =>
    (
      await ask(signal, (init) =>
        api.countPoints(
          { collection_name: names.documents, filter: { must: [is('alias', alias)] }, exact: true },
          init,
        ),
      )
    ).count

  const rebuildOne = async (
    { alias, collection: from }: Standing,
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
    // From here on there is no way back: nobody knows whether a call that was given up has turned the alias.
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
