/** How long work took, by an upper bound (s) and how much of it took no longer, as Prometheus' histograms have it. */
type Buckets = { upTo: number; count: number }[]
/** By task, and of `document`. */
export type ServiceTimes = Map<string, Buckets>

const bucketLine = /^plumbline_(?:task|document)_seconds_bucket\{([^}]*)\} (\d+)/gm
const labelOf = (labels: string, name: string): string | undefined => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1]
/** Documents have no task, and redelivered ones are no measure. */
const workOf = (labels: string): string | undefined =>
  labelOf(labels, 'task') ?? (labelOf(labels, 'outcome') === 'indexed' ? 'document' : undefined)

/** Parses the /metrics text of one or several workers. */
export const readServiceTimes = (text: string): ServiceTimes => {
  const times: ServiceTimes = new Map()
  for (const [, labels = '', count] of text.matchAll(bucketLine)) {
    const work = workOf(labels)
    if (work === undefined) continue
    const upTo = Number(labelOf(labels, 'le')?.replace('+Inf', 'Infinity'))
    const buckets = times.get(work) ?? []
    const known = buckets.find((bucket) => bucket.upTo === upTo)
    if (known) known.count += Number(count)
    else buckets.push({ upTo, count: Number(count) })
    times.set(work, buckets)
  }
  return times
}

/** The time that a share of all did not exceed, as near as the buckets tell. */
export const timeAt = (buckets: Buckets, share: number): number => {
  const wanted = share * (buckets.at(-1)?.count ?? 0)
  let [from, below] = [0, 0]
  for (const { upTo, count } of buckets) {
    if (count > below && count >= wanted)
      return upTo === Infinity ? from : from + ((upTo - from) * (wanted - below)) / (count - below)
    from = upTo
    below = count
  }
  return from
}
