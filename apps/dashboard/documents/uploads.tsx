import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { TakenDocument } from '@plumbline/contracts'

export type NewUpload = {
  name: string
  bytes?: number
  send: (onSent: (bytes: number) => void, signal: AbortSignal) => Promise<TakenDocument>
}
export type Upload = NewUpload & {
  key: number
  collection: string
  state: 'waiting' | 'sending' | 'taken' | 'refused' | 'stopped'
  sent?: number
  taken?: TakenDocument
  error?: unknown
}

type Uploads = {
  uploads: readonly Upload[]
  add(collection: string, items: readonly NewUpload[]): void
  again(upload: Upload): void
  /** Stops the uploads of a collection. Files that were already sent stay stored. */
  stop(collection: string): void
  forget(which: (upload: Upload) => boolean): void
}

const UploadsContext = createContext<Uploads | null>(null)
export const useUploads = (): Uploads => {
  const uploads = useContext(UploadsContext)
  if (!uploads) throw new Error('useUploads outside of UploadsProvider')
  return uploads
}

const maxParallelUploads = 3

const openUploadQueue = (tell: (key: number, change: Partial<Upload>) => void) => {
  let waiting: Upload[] = []
  const open = new Map<Upload, { sent: number; stopping: AbortController }>()
  const next = async (): Promise<void> => {
    const upload = open.size < maxParallelUploads ? waiting.shift() : undefined
    if (!upload) return
    const { key } = upload
    const its = { sent: 0, stopping: new AbortController() }
    const onSent = (sent: number): void => {
      its.sent = sent
      tell(key, { sent })
    }
    open.set(upload, its)
    tell(key, { state: 'sending' })
    try {
      tell(key, { state: 'taken', taken: await upload.send(onSent, its.stopping.signal) })
    } catch (error) {
      tell(key, its.stopping.signal.aborted ? { state: 'stopped', sent: 0 } : { state: 'refused', error })
    }
    open.delete(upload)
    void next()
  }
  return {
    send: (upload: Upload): void => {
      waiting.push(upload)
      void next()
    },
    stop: (collection: string): void => {
      for (const upload of waiting) if (upload.collection === collection) tell(upload.key, { state: 'stopped' })
      waiting = waiting.filter((upload) => upload.collection !== collection)
      for (const [{ collection: its, bytes = 0 }, { sent, stopping }] of open)
        if (its === collection && sent < bytes) stopping.abort()
    },
  }
}

/** Provides the uploads to all pages, so that they continue while the user views another collection. */
export const UploadsProvider = ({ children }: { children: ReactNode }) => {
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const actions = useMemo((): Omit<Uploads, 'uploads'> => {
    let last = 0
    const tell = (key: number, change: Partial<Upload>): void => {
      setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...change } : one)))
      if (change.state !== 'taken') return
      for (const queryKey of [['documents'], ['collections'], ['document', change.taken?.id]])
        void queries.invalidateQueries({ queryKey })
    }
    const { send, stop } = openUploadQueue(tell)
    return {
      add: (collection, items) => {
        const added = items.map((one): Upload => ({ ...one, collection, key: (last += 1), state: 'waiting' }))
        setUploads((all) => [...all, ...added])
        added.forEach(send)
      },
      again: (upload) => {
        tell(upload.key, { state: 'waiting', sent: 0, error: undefined })
        send(upload)
      },
      stop,
      forget: (which) => setUploads((all) => all.filter((upload) => !which(upload))),
    }
  }, [queries])
  const value = useMemo(() => ({ ...actions, uploads }), [actions, uploads])
  return <UploadsContext value={value}>{children}</UploadsContext>
}
