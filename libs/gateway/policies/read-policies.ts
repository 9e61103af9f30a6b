import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { policies as presets, readPolicy, WrongPolicy, type Policy } from '@plumbline/flow'
import { parse } from 'yaml'

type Read = { policies: Record<string, Policy>; faults: string[] }

const policyFile = /\.(ya?ml|json)$/
const faultsOf = (error: unknown): string[] =>
  error instanceof WrongPolicy ? error.faults : [error instanceof Error ? error.message : String(error)]

/** JSON is YAML too. A policy may extend a preset, or one from a file before its own in the order of names. */
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

/** The operator's own policies, a file each. Whatever is wrong in any of them is told at once. */
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
