/** What one process got of a provider's buckets: when, and with how many tokens. */
export type Got = [number, number][]
export type Shared = { url: string; minuteMs: number; requests: number; tokens: number; forMs: number }

/** The most of any stretch of so many ms. */
const most = (got: Got, ms: number, weight: (one: Got[number]) => number): number => {
  let sum = 0
  let from = 0
  let highest = 0
  for (const one of got) {
    sum += weight(one)
    for (let first = got[from]; first && first[0] <= one[0] - ms; first = got[from]) {
      sum -= weight(first)
      from += 1
    }
    highest = Math.max(highest, sum)
  }
  return highest
}

export const takers = 4

/** Four processes that take places as fast as they may, once each has one: the most of any minute, and the whole in minutes of the limit. */
export const admission = async (
  { url, minuteMs, requests, tokens, forMs }: Shared,
  take: (args: string[]) => Promise<Got>,
) => {
  const args = [url, minuteMs, requests, tokens, forMs, Date.now()].map(String)
  const each = await Promise.all(Array.from({ length: takers }, () => take(args)))
  const got = each.flat().sort(([a], [b]) => a - b)
  // A place is taken between the time it was asked for and its answer, so a stretch is looked at with one slot less.
  const stretch = minuteMs - minuteMs / 60
  const highest = { requests: most(got, stretch, () => 1), tokens: most(got, stretch, ([, used]) => used) }
  const total = requests > 0 ? got.length / requests : got.reduce((sum, [, used]) => sum + used, 0) / tokens
  return { each, highest, total }
}
