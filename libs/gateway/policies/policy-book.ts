import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { heldPolicy, policies as presets, type Policy, readPolicy, WrongPolicy } from '@plumbline/flow'
import { wrongField } from '../http/problem'
import type { PolicyBook } from '../ports'

const unknown = (fault: string, policies: Iterable<string>): Error =>
  wrongField('policy', `${fault}: use one of ${[...policies].join(', ')}, or omit the policy`, 'unknown-policy')

export const policyBook = (added: Record<string, Policy>, offers: readonly string[] = []): PolicyBook => {
  const all = new Map([...Object.entries(presets), ...Object.entries(added)])
  const allHeld = new Map([...all].map(([name, policy]) => [name, heldPolicy(policy)]))
  const offered = [...all.values()].filter(({ name }) => offers.length === 0 || offers.includes(name))
  const names = offered.map(({ name }) => name)
  return {
    all: [...all.values()],
    offered,
    refuseOthers: (name) => {
      if (all.has(name) && !names.includes(name))
        throw unknown(`the policy ${name} is not available on this gateway`, names)
    },
    byName: (name, isHeld = false) => {
      const policy = (isHeld ? allHeld : all).get(name)
      if (policy) return policy
      throw unknown(`there is no policy ${name}`, names)
    },
  }
}

type Read = { policies: Record<string, Policy>; faults: string[] }

const policyFile = /\.(ya?ml|json)$/
const faultsOf = (error: unknown): string[] =>
  error instanceof WrongPolicy ? error.faults : [error instanceof Error ? error.message : String(error)]

/** A policy may extend a preset, or a policy from a file that comes earlier in alphabetical order. */
const readFile = (dir: string, file: string, { policies, faults }: Read): Read => {
  try {
    const policy = readPolicy(parse(readFileSync(join(dir, file), 'utf8'), { maxAliasCount: 0 }), {
      ...presets,
      ...policies,
    })
    return { policies: { ...policies, [policy.name]: policy }, faults }
  } catch (error) {
    return { policies, faults: [...faults, ...faultsOf(error).map((fault) => `${file}: ${fault}`)] }
  }
}

export const readPolicies = (dir: string): Read => {
  try {
    const files = readdirSync(dir)
      .filter((file) => policyFile.test(file))
      .sort()
    return files.reduce<Read>((read, file) => readFile(dir, file, read), { policies: {}, faults: [] })
  } catch (error) {
    return {
      policies: {},
      faults: [`${dir} cannot be read: ${error instanceof Error ? error.message : String(error)}`],
    }
  }
}
