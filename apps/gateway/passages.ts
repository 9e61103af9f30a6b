import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'

type Opened = Pick<PassageIndex, 'remove' | 'close'>

/** The index is opened with the first search, or the first document that is removed: many gateways need it for neither. One that could not be opened is tried again. */
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
