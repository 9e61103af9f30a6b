const atOnce = 10

export const inPieces = async <T, R>(all: readonly T[], one: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  for (let from = 0; from < all.length; from += atOnce)
    results.push(...(await Promise.all(all.slice(from, from + atOnce).map(one))))
  return results
}
