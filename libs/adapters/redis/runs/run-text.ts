import { randomUUID } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Evidence } from '@plumbline/contracts'
import type { Policy, Run } from '@plumbline/flow'
import { LRUCache } from 'lru-cache'

/** What a run's hash holds: the run without its policy, which never changes and would be most of every write. */
type RunText = { run: string; policy: string }

const policyTexts = new WeakMap<Policy, string>()
const policies = new LRUCache<string, Policy>({ max: 100 })

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants
/** As small as what takes longer, in the time of deflate. */
const packing = { params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 16 } }
/** Packed text begins with `b`, JSON with a brace. */
const packed = (value: unknown): string => `b${brotliCompressSync(JSON.stringify(value), packing).toString('base64')}`
const isPacked = (text: string): boolean => text.startsWith('b')
const parsed = (text: string): unknown =>
  JSON.parse(isPacked(text) ? brotliDecompressSync(Buffer.from(text.slice(1), 'base64')).toString() : text)

/** Made once for each policy object. */
const textOfPolicy = (policy: Policy): string => {
  const text = policyTexts.get(policy) ?? packed(policy)
  policyTexts.set(policy, text)
  return text
}

const frozen = <T extends object>(value: T): T => {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) frozen(inner)
  return Object.freeze(value)
}

/** Runs of one policy share one object of it, frozen, so that it is read once and not with every task. */
const policyOf = (text: string): Policy => {
  const known = policies.get(text)
  if (known) return known
  const policy = frozen(parsed(text) as Policy)
  policies.set(text, policy)
  policyTexts.set(policy, text)
  return policy
}

const withoutPolicy = (run: Run): string => JSON.stringify({ ...run, policy: undefined })
export const textOfOpen = (run: Run): RunText => ({ run: withoutPolicy(run), policy: textOfPolicy(run.policy) })

/** What a commit writes. A run that has ended is only kept to be read: packed, its policy with it. In a thread of zlib's it takes the event loop longer. */
export const textOf = (run: Run): string => (run.open.length === 0 ? packed(run) : withoutPolicy(run))

export const runOf = (text: string, policy: string | null | undefined): Run => {
  if (isPacked(text)) return parsed(text) as Run
  return { ...(parsed(text) as Omit<Run, 'policy'>), policy: policyOf(policy ?? '') }
}

/** Node keeps random bytes for these in store, where others cost a system call each. */
export const freshVersion = (): string => randomUUID()
export const openIds = (run: Run): string => ` ${run.open.map((task) => `${task.id} `).join('')}`
/** A table stands twice in its passage, as Markdown and as cells: packed, it takes no more than once. */
export const textOfEvidence = (passage: Evidence): string =>
  passage.tables?.length ? packed(passage) : JSON.stringify(passage)
export const evidenceOf = (text: string): Evidence => parsed(text) as Evidence

export const json = (values: unknown[]): string[] => values.map((value) => JSON.stringify(value))

/** Until when a run matters by itself: a parked one may wait far longer than its own deadline. */
export const horizon = (run: Run): number =>
  Math.max(run.deadlineAt, run.endedAt ?? 0, ...run.open.map((task) => (task.kind === 'review' ? task.dueAt : 0)))

export type Known = { version: string; run: Run }
/** What the store answered: the run's text, or '' where its version is the one we named. */
type Answer = { version: string; text: string; policy: string | null | undefined }

/** Runs as this process saw them last. A version is random and never comes again, so whoever has it has the run. */
export const knownRuns = (most = 1_000) => {
  const known = new LRUCache<string, Known>({ max: most })
  /** An ended run is not needed again. */
  const keep = (version: string, run: Run): Run => {
    if (run.open.length > 0) known.set(run.id, { version, run })
    else known.delete(run.id)
    return run
  }
  return {
    keep,
    get: (runId: string): Known | undefined => known.get(runId),
    runOf: (named: Known | undefined, { version, text, policy }: Answer): Run =>
      text === '' && named?.version === version ? named.run : keep(version, runOf(text, policy)),
  }
}
export type KnownRuns = ReturnType<typeof knownRuns>
