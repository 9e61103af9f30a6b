import { setTimeout as wait } from 'node:timers/promises'
import { isShortText } from '@plumbline/contracts/format-names'
import type { DocumentView } from '@plumbline/contracts'
import type { FoundItem } from './find-files'
import { sendWithRetries, sharedFields, type UploadOptions } from './upload'

const everyMs = 200

type Followed = { sha256: string; last: DocumentView; done: PromiseWithResolvers<DocumentView> }

export const canFollowTogether = (one: FoundItem): boolean => one.kind === 'file' && isShortText(one.format, one.bytes)

/**
 * Follows the indexing of short texts. It checks many of them with one request, because opening an event stream takes
 * longer than indexing a short text.
 */
export const followTogether = (uploading: UploadOptions) => {
  const { client, options, stopping } = uploading
  const followed = new Map<string, Followed>()
  let looking = false

  const look = async (): Promise<void> => {
    const files = [...followed].map(([name, { sha256 }]) => ({ name, sha256 }))
    const asked = { ...sharedFields(options), files }
    const { items } = await sendWithRetries(() => client.compareFiles(asked, { signal: stopping }), uploading)
    for (const { name, document } of items) {
      const one = followed.get(name)
      if (!one) continue
      if (document) one.last = document
      uploading.onUpdate(name, one.last)
      if (document?.status === 'queued' || document?.status === 'processing') continue
      followed.delete(name)
      one.done.resolve(one.last)
    }
  }
  const lookUntilDone = async (): Promise<void> => {
    if (looking) return
    looking = true
    try {
      for (; followed.size > 0; await look()) await wait(everyMs, undefined, { signal: stopping })
    } catch (error) {
      for (const { done } of followed.values()) done.reject(error)
      followed.clear()
    } finally {
      looking = false
    }
  }
  return {
    follow: (taken: DocumentView): Promise<DocumentView> | null => {
      const { name, sha256 } = taken
      if (name === undefined || sha256 === undefined) return null
      const done = Promise.withResolvers<DocumentView>()
      followed.set(name, { sha256, last: taken, done })
      void lookUntilDone()
      return done.promise
    },
  }
}
