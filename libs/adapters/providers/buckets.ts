/** What a provider lets us do in a minute; nothing set is no limit. */
export type Limits = { requests?: number | undefined; tokens?: number | undefined }

/** A place in this minute, or how long until there is one. */
export type Taken = { kind: 'taken'; slot: string } | { kind: 'wait'; ms: number }

/** Requests and tokens of a minute, shared by every process. Trouble with what holds them lets calls pass. */
export type Buckets = {
  take(name: string, limits: Limits, tokens: number): Promise<Taken>
  /** Sets right what was reserved, once the provider has counted. */
  settle(name: string, slot: string, byTokens: number): Promise<void>
  /** Nobody asks this provider before a time. */
  pause(name: string, until: number): Promise<void>
}

/** One process, no limits. */
export const noBuckets: Buckets = {
  take: () => Promise.resolve({ kind: 'taken', slot: '' }),
  settle: () => Promise.resolve(),
  pause: () => Promise.resolve(),
}
