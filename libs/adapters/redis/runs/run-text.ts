import { randomUUID } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Evidence } from '@plumbline/contracts'
import type { Policy, Run, Step } from '@plumbline/flow'
import { LRUCache } from 'lru-cache'
import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'

/** The policy of a run is stored separately, because it never changes and would be the largest part of every write. */
type RunText = { run: string; policy: string }

const policyTexts = new WeakMap<Policy, string>()
const policies = new LRUCache<string, Policy>({ max: 100 })

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants
/** These settings favor speed, because slower settings do not make the text of a run smaller. */
const packing = { params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 16 } }
/** Compresses a JSON text. The result begins with `b`, so it cannot be mistaken for JSON, which begins with a brace. */
const packed = (json: string): string => `b${brotliCompressSync(json, packing).toString('base64')}`
const isPacked = (text: string): boolean => text.startsWith('b')
const parsed = (text: string): unknown =>
  JSON.parse(isPacked(text) ? brotliDecompressSync(Buffer.from(text.slice(1), 'base64')).toString() : text)

const textOfPolicy = (policy: Policy): string => {
  const text = policyTexts.get(policy) ?? packed(JSON.stringify(policy))
  policyTexts.set(policy, text)
  return text
}

const frozen = <T extends object>(value: T): T => {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) frozen(inner)
  return Object.freeze(value)
}

/** Runs with the same policy share one frozen policy object. */
const policyOf = (text: string): Policy => {
  const known = policies.get(text)
  if (known) return known
  const policy = frozen(parsed(text) as Policy)
  policies.set(text, policy)
  policyTexts.set(policy, text)
  return policy
}

const stepTexts = new WeakMap<Step, string>()
/** Caches the text of each step. Steps make up most of a run's text, and a commit changes at most one step. */
const textOfStep = (step: Step): string => {
  const text = stepTexts.get(step) ?? JSON.stringify(step)
  stepTexts.set(step, text)
  return text
}
const textOfRun = (run: Omit<Run, 'steps' | 'policy'> & { policy?: Policy }, steps: Step[]): string =>
  `${JSON.stringify(run).slice(0, -1)},"steps":[${steps.map(textOfStep).join()}]}`
export const textOfOpen = ({ steps, policy, ...rest }: Run): RunText => ({
  run: textOfRun(rest, steps),
  policy: textOfPolicy(policy),
})

/**
 * Compresses a run that has ended, because it no longer changes. Compressing in another thread would cost the event
 * loop more time.
 */
export const textOf = ({ steps, policy, ...rest }: Run): string =>
  rest.open.length === 0 ? packed(textOfRun({ ...rest, policy }, steps)) : textOfRun(rest, steps)

export const runOf = (text: string, policy: string | null | undefined): Run => {
  if (isPacked(text)) return parsed(text) as Run
  return { ...(parsed(text) as Omit<Run, 'policy'>), policy: policyOf(policy ?? '') }
}

export const readRun = async (redis: RedisClient, runId: string): Promise<Run | null> => {
  const [run, policy] = await redis.hmget(keys.state(runId), 'run', 'policy')
  return run ? runOf(run, policy) : null
}

/** Returns a UUID, because Node buffers random bytes for UUIDs. Every other random value would cost a system call. */
export const freshVersion = (): string => randomUUID()
export const openIds = (run: Run): string => ` ${run.open.map((task) => `${task.id} `).join('')}`
/** A passage with tables is compressed, because it contains each table twice, as Markdown and as cells. */
export const textOfEvidence = (passage: Evidence): string =>
  passage.tables?.length ? packed(JSON.stringify(passage)) : JSON.stringify(passage)
export const evidenceOf = (text: string): Evidence => parsed(text) as Evidence

export const json = (values: unknown[]): string[] => values.map((value) => JSON.stringify(value))

export const retentionStart = (run: Run): number =>
  Math.max(run.deadlineAt, run.endedAt ?? 0, ...run.open.map((task) => (task.kind === 'review' ? task.dueAt : 0)))

export type KnownRun = { version: string; run: Run; passages: ReadonlyMap<string, Evidence> }
const noPassages: KnownRun['passages'] = new Map()

/** Caches runs by id. Versions are random, so a cached run is current if its version equals the stored version. */
export const runCache = (most = { runs: 1_000, passages: 4_000 }) => {
  const runs = new LRUCache<string, KnownRun>({
    max: most.runs,
    maxSize: most.runs + most.passages,
    sizeCalculation: ({ passages }) => 1 + passages.size,
  })
  /** Caches a run that is still open. Removes a run that has ended from the cache, because it is not read again. */
  const keep = (version: string, run: Run, passages = noPassages): Run => {
    if (run.open.length > 0) runs.set(run.id, { version, run, passages })
    else runs.delete(run.id)
    return run
  }
  return {
    /** `from` is the version before the commit. `added` contains the passages that the commit added. */
    moved: (from: string, version: string, run: Run, added: Evidence[]): void => {
      const before = runs.get(run.id)
      const passages = before?.version === from ? before.passages : noPassages
      const all = added.length > 0 ? new Map([...passages, ...added.map((one) => [one.id, one] as const)]) : passages
      keep(version, run, all)
    },
    get: (runId: string): KnownRun | undefined => runs.get(runId),
    /** `named`: the cached run whose version was sent to Redis. If it is current, Redis replies without the text. */
    runOf: (runId: string, named: KnownRun | undefined, version: string, read: () => Run): Run => {
      const known = [named, runs.get(runId)].find((each) => each?.version === version)
      return known ? known.run : keep(version, read())
    },
  }
}
