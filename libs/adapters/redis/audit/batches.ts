/** Writes items in batches, one batch per tenant at a time. Items that arrive during a write form the next batch. */
export const inBatches = <One>(write: (tenant: string, batch: One[]) => Promise<void>) => {
  const open = new Map<string, { batch: One[]; written: Promise<void> }>()
  const last = new Map<string, Promise<void>>()
  return (tenant: string, one: One): Promise<void> => {
    const joined = open.get(tenant)
    if (joined) {
      joined.batch.push(one)
      return joined.written
    }
    const batch = [one]
    const before = last.get(tenant)?.catch(() => undefined) ?? Promise.resolve()
    const written = before.then(() => {
      open.delete(tenant)
      return write(tenant, batch)
    })
    open.set(tenant, { batch, written })
    last.set(tenant, written)
    const forget = (): void => void (last.get(tenant) === written && last.delete(tenant))
    written.then(forget, forget)
    return written
  }
}
