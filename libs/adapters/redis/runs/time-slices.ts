const sliceMs = 2

/** Processes items in slices of about 2 ms. Calls `rest` between slices with the duration of the last slice. */
export const openTimeSlices = (rest: (ms: number) => Promise<unknown>) => {
  let lastRest: Promise<unknown> = Promise.resolve()
  return async <Item, Result>(items: readonly Item[], work: (item: Item) => Result): Promise<Result[]> => {
    const results: Result[] = []
    while (results.length < items.length) {
      const before = lastRest
      const rested = Promise.withResolvers<unknown>()
      lastRest = rested.promise
      await before
      const began = performance.now()
      try {
        for (const item of items.slice(results.length)) {
          results.push(work(item))
          if (performance.now() - began >= sliceMs) break
        }
      } finally {
        rested.resolve(rest(performance.now() - began))
      }
    }
    return results
  }
}
