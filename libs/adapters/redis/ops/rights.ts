import type { Redis } from 'ioredis'
import { commands, keyPatterns } from '../client/acl'
import { closedTasksChannel, keys } from '../client/keys'

/** The commands that the check skips, because the check itself uses them or Redis forbids them in a transaction. */
const ofTheLook = new Set(['command|info', 'multi', 'exec', 'discard', 'subscribe', 'unsubscribe'])

const refused = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOPERM')
const isRefused = (work: Promise<unknown>): Promise<boolean> => work.then(() => false, refused)

/** Returns each command with its minimum number of arguments. Redis counts the command's name as an argument. */
const argumentsOf = async (redis: Redis, names: string[]): Promise<string[][]> => {
  const told = (await redis.call('COMMAND', 'INFO', ...names)) as ([string, number] | null)[]
  return names.map((name, i) => {
    const words = name.split('|')
    const least = Math.abs(told[i]?.[1] ?? words.length) - words.length
    const argument = name === 'publish' ? closedTasksChannel : keys.state('doctor')
    return [...words, ...Array.from({ length: Math.max(0, least) }, () => argument)]
  })
}

/**
 * Returns the rights that the Redis user lacks. Queues the commands in a transaction and discards it, so that Redis
 * checks the rights but runs none of the commands.
 */
export const missingRights = async (redis: Redis): Promise<string[]> => {
  const asked = commands.filter((command) => !ofTheLook.has(command))
  const missing: string[] = []
  const note = async (what: string, work: Promise<unknown>): Promise<void> => {
    if (await isRefused(work)) missing.push(what)
  }
  let calls: string[][]
  try {
    calls = await argumentsOf(redis, asked)
  } catch (error) {
    if (refused(error)) return ['+command|info']
    throw error
  }
  for (const pattern of keyPatterns) await note(`~${pattern}`, redis.exists(pattern.replaceAll('*', 'doctor')))
  await note('+multi', redis.call('MULTI'))
  if (missing.includes('+multi')) return missing
  for (const [i, [name = '', ...rest]] of calls.entries()) await note(`+${asked[i]}`, redis.call(name, ...rest))
  await note('+discard', redis.call('DISCARD'))
  await note(`+subscribe &${closedTasksChannel}`, redis.subscribe(closedTasksChannel))
  return missing
}
