import { ensemble } from '@plumbline/knowledge/fusion'
import type { Found, Query, Scope, Ways } from '@plumbline/ports/passage-index'
import { ask, unlessAbsent } from './api'
import type { Quantisation } from './collections'
import type { Manifest, PointPayload } from './payload'
import { planned, type Planned } from './query'
import type { Parts } from './parts'

type Hit = Pick<PointPayload, 'passage' | 'documentId' | 'version' | 'home'> & { score: number }
type Hits = Pick<Planned, 'alone'> & { hits: Hit[] }

const mostRounds = 50
/** More than clocks differ by. A version that counts for longer was whole before the query began. */
const settledMs = 60_000

type Seen = ReadonlyMap<string, Manifest>
const countsFor = (manifest: Manifest | undefined, { version, home }: Pick<Hit, 'version' | 'home'>): boolean =>
  manifest !== undefined && manifest.version === version && manifest.homes.includes(home)
/** Whether the version counted already as the query began: what was found of one that began to count meanwhile may be its half. */
const wasWhole = (manifest: Manifest | undefined, before: Manifest | undefined): boolean =>
  manifest !== undefined && (before?.version === manifest.version || Math.abs(Date.now() - manifest.since) > settledMs)

const ranked = (all: readonly Hits[], ways: Ways): Found[] =>
  all
    .flatMap(({ alone, hits }) =>
      alone
        ? ensemble({ similarity: [], mmr: [], bm25: [], [alone]: hits }, ways)
        : hits.map(({ passage, score }) => ({ passage, scores: { fused: score } })),
    )
    .sort((a, b) => (b.scores.fused ?? 0) - (a.scores.fused ?? 0))
    .slice(0, ways.limit)

const only = (all: readonly Hits[], holds: (hit: Hit) => boolean): Hits[] =>
  all.map(({ alone, hits }) => ({ alone, hits: hits.filter(holds) }))

const seekingIn = ({ api, names, manifests }: Parts, quantisation: Quantisation) => {
  const hitsOf = async (
    alias: string,
    scope: Scope,
    query: Query,
    ways: Ways,
    stale: readonly string[],
    signal: AbortSignal,
  ): Promise<Hits> => {
    const plan = planned(scope, query, ways, stale, quantisation)
    if (!plan) return { alone: null, hits: [] }
    const found = await unlessAbsent(
      ask(signal, (init) => api.queryPoints({ collection_name: alias, ...plan.body }, init)),
      { points: [] },
    )
    return {
      alone: plan.alone,
      hits: found.points.map(({ payload, score }) => ({ ...(payload as unknown as Omit<Hit, 'score'>), score })),
    }
  }
  /** The space of the query by all ways, the others by words alone: their vectors are not comparable. */
  return async (
    scope: Scope,
    query: Query,
    ways: Ways,
    stale: readonly string[],
    signal: AbortSignal,
  ): Promise<Hits[]> => {
    const own = query.vector && names.alias(query.vector.space, query.vector.values.length)
    const wordsOnly = { text: query.text, vector: null }
    const seeking = planned(scope, wordsOnly, ways, [], quantisation) !== null
    const [first, aliases] = await Promise.all([
      own ? hitsOf(own, scope, query, ways, stale, signal) : null,
      seeking ? manifests.aliases(scope, signal) : [],
    ])
    const others = aliases
      .filter((alias) => alias !== own)
      .map((alias) => hitsOf(alias, scope, wordsOnly, ways, stale, signal))
    return [...(first ? [first] : []), ...(await Promise.all(others))]
  }
}

export const searchingIn = (parts: Parts, quantisation: Quantisation) => {
  const { manifests } = parts
  const everywhere = seekingIn(parts, quantisation)

  return async (scope: Scope, query: Query, ways: Ways, signal: AbortSignal): Promise<Found[]> => {
    signal.throwIfAborted()
    if (scope.collections.length === 0) return []
    /** Versions that did not count when they were last looked at, with their documents: one of them may be the next that counts. */
    const left = new Map<string, string>()
    let [before, all]: [Seen, Hits[]] = [new Map(), []]
    for (let round = 0; round < mostRounds; round += 1) {
      all = await everywhere(scope, query, ways, [...left.keys()], signal)
      const hits = all.flatMap((one) => one.hits)
      const now = await manifests.lookUp(
        scope.tenant,
        [...hits.map(({ documentId }) => documentId), ...left.values()],
        signal,
      )
      const counts = (hit: Hit): boolean => countsFor(now.get(hit.documentId), hit)
      const sure = (hit: Hit): boolean => counts(hit) && wasWhole(now.get(hit.documentId), before.get(hit.documentId))
      const wronglyLeft = [...left].filter(([version, documentId]) => now.get(documentId)?.version === version)
      all = only(all, sure)
      if (hits.every(sure) && wronglyLeft.length === 0) break
      for (const hit of hits) if (!counts(hit)) left.set(hit.version, hit.documentId)
      for (const [version] of wronglyLeft) left.delete(version)
      before = now
    }
    return ranked(all, ways)
  }
}
