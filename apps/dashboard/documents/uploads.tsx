import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { TakenDocument } from '@plumbline/contracts'

/** A file, a text or an address to upload. */
export type Brought = {
  name: string
  bytes?: number
  send: (onSent: (bytes: number) => void) => Promise<TakenDocument>
}
export type Upload = Brought & {
  key: number
  collection: string
  state: 'waiting' | 'sending' | 'taken' | 'refused'
  /** Bytes sent so far. */
  sent?: number
  taken?: TakenDocument
  error?: unknown
}

type Uploads = {
  uploads: readonly Upload[]
  add(collection: string, brought: readonly Brought[]): void
  again(upload: Upload): void
  forget(which: (upload: Upload) => boolean): void
}

const UploadsContext = createContext<Uploads | null>(null)
export const useUploads = (): Uploads => {
  const uploads = useContext(UploadsContext)
  if (!uploads) throw new Error('useUploads outside of UploadsProvider')
  return uploads
}

const atOnce = 3

/** Sends uploads in order, a few at a time, and reports each change. */
const openQueue = (tell: (key: number, change: Partial<Upload>) => void) => {
  const waiting: Upload[] = []
  let underWay = 0
  const next = async (): Promise<void> => {
    const upload = underWay < atOnce ? waiting.shift() : undefined
    if (!upload) return
    underWay += 1
    tell(upload.key, { state: 'sending' })
    try {
      tell(upload.key, { state: 'taken', taken: await upload.send((sent) => tell(upload.key, { sent })) })
    } catch (error) {
      tell(upload.key, { state: 'refused', error })
    }
    underWay -= 1
    void next()
  }
  return (upload: Upload): void => {
    waiting.push(upload)
    void next()
  }
}

/** Provides the upload queue. Uploads continue while the user views another collection. */
export const UploadsProvider = ({ children }: { children: ReactNode }) => {
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const held = useMemo((): Omit<Uploads, 'uploads'> => {
    let last = 0
    const tell = (key: number, change: Partial<Upload>): void => {
      setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...change } : one)))
      if (change.state !== 'taken') return
      for (const queryKey of [['documents'], ['collections'], ['document', change.taken?.id]])
        void queries.invalidateQueries({ queryKey })
    }
    const send = openQueue(tell)
    return {
      add: (collection, brought) => {
        const added = brought.map((one): Upload => ({ ...one, collection, key: (last += 1), state: 'waiting' }))
        setUploads((all) => [...all, ...added])
        added.forEach(send)
      },
      again: (upload) => {
        tell(upload.key, { state: 'waiting', sent: 0, error: undefined })
        send(upload)
      },
      forget: (which) => setUploads((all) => all.filter((upload) => !which(upload))),
    }
  }, [queries])
  const value = useMemo(() => ({ ...held, uploads }), [held, uploads])
  return <UploadsContext value={value}>{children}</UploadsContext>
}
