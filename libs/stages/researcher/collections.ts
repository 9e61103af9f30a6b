import type { CollectionView } from '@plumbline/contracts'

export type ReadCollections = (tenant: string) => Promise<CollectionView[]>

const freshMs = 2_000
const tenantsKept = 500

/** Steps come by the thousand and collections change by the hour. */
export const keptCollections = (read: ReadCollections): ReadCollections => {
  const kept = new Map<string, { until: number; views: Promise<CollectionView[]> }>()
  return (tenant) => {
    const now = performance.now()
    const known = kept.get(tenant)
    if (known && known.until > now) return known.views
    if (kept.size >= tenantsKept) kept.clear()
    const views = read(tenant)
    kept.set(tenant, { until: now + freshMs, views })
    views.catch(() => kept.delete(tenant))
    return views
  }
}
