/** Returns the value for a tenant. Tenants without a value use that of `*`. */
export const ofTenant = <T>(settings: Record<string, T>, tenant: string): T | undefined =>
  Object.hasOwn(settings, tenant) ? settings[tenant] : settings['*']

/**
 * Limits concurrent work of one kind in this process to `most`. A tenant gets at most half of that, so that it cannot
 * block the others. Call `full` and `take` without an `await` between them.
 */
export const tenantLimit = (most: number) => {
  const mostOfOne = Math.ceil(most / 2)
  const byTenant = new Map<string, Set<{ endsAt: number }>>()
  let all = 0
  const heldBy = (tenant: string): number => byTenant.get(tenant)?.size ?? 0
  return {
    mostOfOne,
    full: (tenant: string): 'tenant' | 'process' | undefined => {
      if (heldBy(tenant) >= mostOfOne) return 'tenant'
      return all >= most ? 'process' : undefined
    },
    hasMoreThanItsShare: (tenant: string): boolean => heldBy(tenant) > mostOfOne,
    /** Takes a slot. `withinMs` is the maximum duration of the work. Returns a function that frees the slot. */
    take: (tenant: string, withinMs = Infinity): (() => void) => {
      const own = byTenant.get(tenant) ?? new Set()
      const place = { endsAt: performance.now() + withinMs }
      byTenant.set(tenant, own.add(place))
      all += 1
      return () => {
        if (!own.delete(place)) return
        all -= 1
        if (own.size === 0) byTenant.delete(tenant)
      }
    },
    /** Returns the time in ms until this tenant's next slot is free, at most. */
    freeInMs: (tenant: string): number => {
      let first = Infinity
      for (const { endsAt } of byTenant.get(tenant) ?? []) first = Math.min(first, endsAt)
      return first - performance.now()
    },
  }
}
