import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'
import { createClient, ProblemError, Unreachable } from '@plumbline/client'
import { Case } from '@plumbline/contracts'
import { heldPolicy, Policy } from '@plumbline/flow'
import { readPolicies, policyBook } from '@plumbline/gateway/policies/policy-book'
import { openModels } from '@plumbline/hosting/models/models'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { createLog, EnvError, readEnvs } from '@plumbline/platform'
import { offlineSkills } from '@plumbline/skills/offline'
import { type Options, readArgs } from './args'
import { type CaseComparison, compare } from './compare'
import { replayCase, type ReplayOptions } from './replay'
import { tableOf } from './table'

class Fault extends Error {}

const atOnce = 4

async function* casesIn(file: string): AsyncGenerator<Case> {
  let number = 0
  for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    number += 1
    if (line.trim() === '') continue
    const read = Case.safeParse(JSON.parse(line))
    if (!read.success)
      throw new Fault(`${file}, line ${number} is not an exported case: ${read.error.issues[0]?.message ?? ''}`)
    yield read.data
  }
}

const ofGateway = async ({ url = '', key }: Options): Promise<Map<string, Policy>> => {
  const { items } = await createClient({ url, ...(key !== undefined && { key }) }).policies()
  return new Map(items.map((item) => [item.name, Policy.parse(item)]))
}

const ofEnvironment = (): Map<string, Policy> => {
  const dir = process.env['POLICIES_DIR']?.trim()
  const { policies, faults } = dir ? readPolicies(dir) : { policies: {}, faults: [] }
  if (faults.length > 0) throw new Fault(['POLICIES_DIR contains invalid policies:', ...faults].join('\n  '))
  return new Map(policyBook(policies).all.map((policy) => [policy.name, policy]))
}

/** Returns the policy for a replay. It releases no unchecked drafts if the stored policy released none. */
const policyFor = (today: Map<string, Policy>, { policy: name, policySettings }: Case): Policy => {
  const then = Policy.safeParse(policySettings)
  const policy = today.get(name) ?? then.data
  if (!policy)
    throw new Fault(
      `The policy ${name} does not exist, and the policy stored in the case is of another version. Add a policy ${name} to POLICIES_DIR.`,
    )
  return then.data && isDeepStrictEqual(heldPolicy(then.data), then.data) ? heldPolicy(policy) : policy
}

const skillsFor = async ({ offline }: Options): Promise<Pick<ReplayOptions, 'skills' | 'drafts'>> => {
  const storedDrafts = { skills: offlineSkills, drafts: 'stored' } as const
  if (offline) return storedDrafts
  const [env] = readEnvs([ModelsEnv])
  const { chat, skills } = await openModels(env, { log: createLog({ app: 'replay', level: 'warn' }) })
  if (chat) return { skills, drafts: 'written' }
  process.stderr.write('No model is set up: the stored drafts are checked again without one.\n')
  return storedDrafts
}

const replay = async (options: Options): Promise<number> => {
  const today = options.url === undefined ? ofEnvironment() : await ofGateway(options)
  const replaying = await skillsFor(options)
  const { signal } = new AbortController()
  const one = async (kept: Case): Promise<CaseComparison> => {
    const replayed = await replayCase(kept, { ...replaying, policy: policyFor(today, kept), signal })
    return compare(kept, replayed, replaying.drafts)
  }
  const all: CaseComparison[] = []
  let batch: Case[] = []
  const flush = async (): Promise<void> => {
    all.push(...(await Promise.all(batch.map(one))))
    batch = []
  }
  for await (const kept of casesIn(options.file)) {
    batch.push(kept)
    if (batch.length === atOnce) await flush()
  }
  await flush()
  process.stdout.write(options.json ? `${JSON.stringify(all, null, 2)}\n` : `${tableOf(all).join('\n')}\n`)
  return options.strict && all.some(({ change }) => change === 'worse') ? 1 : 0
}

const wordsOf = (error: unknown): string | null => {
  if (error instanceof ProblemError) return error.problem.detail
  if (error instanceof Fault || error instanceof EnvError || error instanceof Unreachable) return error.message
  if (error instanceof SyntaxError) return `The file contains a line that is not valid JSON: ${error.message}`
  return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? error.message : null
}

const main = async (): Promise<number> => {
  const command = readArgs(process.argv.slice(2), process.env)
  if (command.kind === 'replay') return replay(command.options)
  if (command.kind === 'help') process.stdout.write(`${command.text}\n`)
  else process.stderr.write(`${command.message}\n`)
  return command.kind === 'help' ? 0 : 2
}

// If the program that reads the output ends first, as in `| head`, exit without an error.
process.stdout.on('error', () => process.exit(0))
process.exitCode = await main().catch((error: unknown) => {
  const words = wordsOf(error)
  if (words === null) throw error
  process.stderr.write(`${words}\n`)
  return 1
})
