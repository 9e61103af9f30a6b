import type { DocumentStore, ListedRevision } from '@plumbline/ports/document-store'

export type Leftovers = {
  /** The revisions of a document that are still needed; none where it is gone. */
  needed(documentId: string): Promise<readonly string[]>
  /** What was touched within this time is left alone: it may be under way. */
  untouchedMs: number
  signal: AbortSignal
}

/** `unknown`: documents that are all left in their place, as not one of the store is known. */
export type Swept = { removed: number; unknown: number }

/** Walks the whole store, one document at a time. */
export const sweepStore = async (
  store: Pick<DocumentStore, 'tidy' | 'list' | 'drop'>,
  { needed, untouchedMs, signal }: Leftovers,
): Promise<Swept> => {
  let removed = await store.tidy(untouchedMs, signal)
  const drop = async (listed: ListedRevision): Promise<void> => {
    if (Date.now() - listed.touchedAt < untouchedMs) return
    await store.drop(listed)
    removed += 1
  }
  let isAnyKnown = false
  let current: { id: string; needed: readonly string[] } = { id: '', needed: [] }
  const unknown: ListedRevision[] = []
  for await (const listed of store.list(null, signal)) {
    signal.throwIfAborted()
    if (listed.id !== current.id) current = { id: listed.id, needed: await needed(listed.id) }
    if (current.needed.length === 0) unknown.push(listed)
    else {
      isAnyKnown = true
      if (!current.needed.includes(listed.revision)) await drop(listed)
    }
  }
  // Whoever knows none of them is asked in the wrong place, or has lost what it knew: what people brought stays.
  if (!isAnyKnown) return { removed, unknown: new Set(unknown.map(({ id }) => id)).size }
  for (const listed of unknown) await drop(listed)
  return { removed, unknown: 0 }
}
