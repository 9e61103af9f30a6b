import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'

type Opened = Pick<PassageIndex, 'remove' | 'close'>

/** Returns an index that opens at its first use, because many gateways never use it. A failed opening is retried. */
export const openWhenNeeded = <Index extends Opened>(open: () => Promise<Index>) => {
  let index: Promise<Index> | undefined
  const opened = () =>
    (index ??= open().catch((error: unknown) => {
      index = undefined
      throw error
    }))
  return {
    opened,
    remove: async (...words: Parameters<Opened['remove']>) => (await opened()).remove(...words),
    close: async () => (await index)?.close(),
  }
}
