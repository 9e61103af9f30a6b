import type { CollectionView } from '@plumbline/contracts'

/** Those of these collections that are there. */
export type ReadCollections = (tenant: string, names: readonly string[]) => Promise<CollectionView[]>
type ReadOne = (tenant: string, name: string) => Promise<CollectionView | null>

const freshMs = 2_000
const most = 1_000

/** Steps come by the thousand and collections change by the hour. */
export const keptCollections = (read: ReadOne): ReadCollections => {
  const kept = new Map<string, { until: number; view: Promise<CollectionView | null> }>()
  const one: ReadOne = (tenant, name) => {
    const key = JSON.stringify([tenant, name])
    const now = performance.now()
    const known = kept.get(key)
    if (known && known.until > now) return known.view
    if (kept.size >= most) kept.clear()
    const view = read(tenant, name)
    kept.set(key, { until: now + freshMs, view })
    view.catch(() => kept.delete(key))
    return view
  }
  return async (tenant, names) =>
    (await Promise.all(names.map((name) => one(tenant, name)))).filter((view) => view !== null)
}
