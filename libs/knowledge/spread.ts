export const spread = <Item>(all: readonly Item[], most: number): Item[] => {
  if (all.length <= most) return [...all]
  const step = (all.length - 1) / Math.max(1, most - 1)
  const chosen = new Set(Array.from({ length: most }, (_, at) => Math.round(at * step)))
  return all.filter((_, at) => chosen.has(at))
}
