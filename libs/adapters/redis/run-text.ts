import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Policy, Run } from '@plumbline/flow'

const packedMark = 'z'
const knownPolicies = 100

/** What a run's hash holds: the run without its policy, which never changes and would be most of every write. */
export type RunText = { run: string; policy: string }

const policyTexts = new WeakMap<Policy, string>()
const policies = new Map<string, Policy>()

const textOfPolicy = (policy: Policy): string => {
  const text = policyTexts.get(policy) ?? JSON.stringify(policy)
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
  const policy = frozen(JSON.parse(text) as Policy)
  const [oldest] = policies.keys()
  if (policies.size >= knownPolicies && oldest !== undefined) policies.delete(oldest)
  policies.set(text, policy)
  policyTexts.set(policy, text)
  return policy
}

/** A run that has ended is only kept to be read: packed, its policy with it. */
export const textOf = (run: Run): RunText => {
  if (run.open.length === 0) return { run: packedMark + deflateRawSync(JSON.stringify(run), { level: 3 }).toString('base64'), policy: '' }
  const { policy, ...rest } = run
  return { run: JSON.stringify(rest), policy: textOfPolicy(policy) }
}

export const runOf = (text: string, policy: string | null | undefined): Run => {
  if (text.startsWith(packedMark)) return JSON.parse(inflateRawSync(Buffer.from(text.slice(packedMark.length), 'base64')).toString()) as Run
  return { ...(JSON.parse(text) as Omit<Run, 'policy'>), policy: policyOf(policy ?? '') }
}
