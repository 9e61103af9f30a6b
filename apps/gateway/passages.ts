import type { PassageIndex } from '@plumbline/ports/passage-index'

/** The index is opened with the first document that is removed: most gateways never need it. One that could not be opened is tried again. */
export const openWhenNeeded = (
  open: () => Promise<Pick<PassageIndex, 'remove' | 'close'>>,
): Pick<PassageIndex, 'remove' | 'close'> => {
  let index: ReturnType<typeof open> | undefined
  const opened = () =>
    (index ??= open().catch((error: unknown) => {
      index = undefined
      throw error
    }))
  return {
    remove: async (...words) => (await opened()).remove(...words),
    close: async () => (await index)?.close(),
  }
}
