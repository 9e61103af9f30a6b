export const ofTenant = <T>(settings: Record<string, T> = {}, tenant: string): T | undefined =>
  Object.hasOwn(settings, tenant) ? settings[tenant] : settings['*']

/**
 * Limits each tenant to half of the slots. Call `full` and `take` without an `await` in between. Otherwise, another
 * caller could take the last slot.
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
    freeInMs: (tenant: string): number => {
      let first = Infinity
      for (const { endsAt } of byTenant.get(tenant) ?? []) first = Math.min(first, endsAt)
      return first - performance.now()
    },
  }
}
