import { randomUUID } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants, inflateRawSync } from 'node:zlib'
import type { Policy, Run } from '@plumbline/flow'

const knownPolicies = 100

/** What a run's hash holds: the run without its policy, which never changes and would be most of every write. */
export type RunText = { run: string; policy: string }

const policyTexts = new WeakMap<Policy, string>()
const policies = new Map<string, Policy>()

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants
/** As small as what takes longer, in the time of deflate. */
const packing = { params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 16 } }
const packed = (value: unknown): string => `b${brotliCompressSync(JSON.stringify(value), packing).toString('base64')}`
/** Each kind of text begins with its own sign, and JSON with a brace; `z` is how runs were packed before. */
const unpacking: Record<string, (bytes: Buffer) => Buffer> = {
  b: (bytes) => brotliDecompressSync(bytes),
  z: (bytes) => inflateRawSync(bytes),
}
const isPacked = (text: string): boolean => !text.startsWith('{')
const parsed = (text: string): unknown => {
  const unpack = unpacking[text.charAt(0)]
  return JSON.parse(unpack ? unpack(Buffer.from(text.slice(1), 'base64')).toString() : text)
}

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
  const [oldest] = policies.keys()
  if (policies.size >= knownPolicies && oldest !== undefined) policies.delete(oldest)
  policies.set(text, policy)
  policyTexts.set(policy, text)
  return policy
}

/** A run that has ended is only kept to be read: packed, its policy with it. */
export const textOf = (run: Run): RunText => {
  if (run.open.length === 0) return { run: packed(run), policy: '' }
  return { run: JSON.stringify({ ...run, policy: undefined }), policy: textOfPolicy(run.policy) }
}

export const runOf = (text: string, policy: string | null | undefined): Run => {
  if (isPacked(text)) return parsed(text) as Run
  return { ...(parsed(text) as Omit<Run, 'policy'>), policy: policyOf(policy ?? '') }
}

/** Node keeps random bytes for these in store, where others cost a system call each. */
export const freshVersion = (): string => randomUUID()
export const openIds = (run: Run): string => ` ${run.open.map((task) => `${task.id} `).join('')}`
export const json = (values: unknown[]): string[] => values.map((value) => JSON.stringify(value))

/** Until when a run matters by itself: a parked one may wait far longer than its own deadline. */
export const horizon = (run: Run): number =>
  Math.max(run.deadlineAt, run.endedAt ?? 0, ...run.open.map((task) => (task.kind === 'review' ? task.dueAt : 0)))
