/** Runs what has the same key in the order it was asked for, one after the other. */
export const createLines = (): ((key: string, work: () => Promise<void>) => Promise<void>) => {
  const last = new Map<string, Promise<void>>()
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    try {
      await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
