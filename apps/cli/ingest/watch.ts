import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isUrl, WrongArgument } from './find-files'

/** Changes are processed after this time without a further change, because programs often save a file in steps. */
const quietMs = 500

/**
 * Calls `started` when every place is watched, and then `changed` once, because a file may have changed before. Later,
 * calls `changed` after each change. Changes during a call cause one more call.
 */
export const watchFiles = async (
  places: string[],
  stopping: AbortSignal,
  { started, changed }: { started: () => void; changed: () => Promise<void> },
): Promise<void> => {
  const watchers: FSWatcher[] = []
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  let work = Promise.resolve()
  const later = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      work = work.then(changed).catch(fail)
    }, quietMs)
  }
  stopping.addEventListener('abort', () => end(), { once: true })
  if (stopping.aborted) end()
  try {
    for (const place of places) {
      const recursive = (await stat(resolve(place))).isDirectory()
      watchers.push(watch(place, { recursive }, later).on('error', fail))
    }
    started()
    later()
    await ended
  } finally {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
    await work
  }
}

export const refuseUrls = (places: string[]): void => {
  const url = places.find(isUrl)
  if (url !== undefined)
    throw new WrongArgument(
      `--watch only watches folders and files of this machine. Omit ${url}, or add it without --watch.`,
    )
}
