import { connectWaiting } from '@plumbline/adapters/redis/client/client'
import { aclFile } from '@plumbline/adapters/redis/client/acl'
import { mayPersist } from '@plumbline/adapters/redis/client/persistent-keys'
import { startPrivateCluster, startPrivateRedis } from '@plumbline/platform'
import { startSentinel } from '@plumbline/testing/redis/sentinel'
import { startTlsRedis } from '@plumbline/testing/redis/tls-redis'
import { addUser } from '@plumbline/testing/redis/users'

const user = 'plumbline:hush@'

/** A Redis for the system under test. `admins` contains the URLs of its nodes for a user with all rights. */
export type Kind = { url: string; env: Record<string, string>; admins: string[]; stop(): Promise<void> }

const onNodes = async (nodes: { port: number; url: string }[]): Promise<string[]> => {
  for (const { port } of nodes) await addUser(port, aclFile(), 'hush')
  return nodes.map(({ url }) => url)
}

/** Starts a kind of Redis. All except `plain` let the system connect as the user of deploy/redis/plumbline.acl. */
export const kinds = {
  plain: async (dir?: string): Promise<Kind> => {
    const { url, stop } = await startPrivateRedis(dir === undefined ? {} : { dir })
    return { url, env: {}, admins: [url], stop }
  },
  tls: async (): Promise<Kind> => {
    const { url, adminUrl, stop } = await startTlsRedis(aclFile())
    return { url, env: {}, admins: [adminUrl], stop }
  },
  cluster: async (): Promise<Kind> => {
    const { url, nodes, stop } = await startPrivateCluster()
    const admins = await onNodes(nodes)
    return { url: url.replace('://', `://${user}`), env: { LANES: 'one,two,three,four' }, admins, stop }
  },
  sentinel: async (): Promise<Kind> => {
    const { urlOf, nodes, stop } = await startSentinel()
    const admins = await onNodes(nodes)
    return { url: urlOf(user), env: {}, admins, stop }
  },
}

export const refused = async ({ admins }: Kind): Promise<string[]> => {
  const all = await Promise.all(
    admins.map(async (url) => {
      const redis = connectWaiting(url)
      const entries = (await redis.call('ACL', 'LOG')) as string[][]
      redis.disconnect()
      const told = (entry: string[], field: string): string => entry[entry.indexOf(field) + 1] ?? ''
      return entries.map((entry) => `${told(entry, 'reason')} ${told(entry, 'object')}`)
    }),
  )
  return all.flat()
}

export const endless = async ({ admins }: Kind): Promise<string[]> => {
  const found: string[] = []
  for (const url of admins) {
    const redis = connectWaiting(url)
    for (const key of await redis.keys('*')) if ((await redis.pttl(key)) === -1 && !mayPersist(key)) found.push(key)
    redis.disconnect()
  }
  return found
}

export const boundMemory = async ({ admins }: Kind, most: string): Promise<void> => {
  for (const url of admins) {
    const redis = connectWaiting(url)
    await redis.call('CONFIG', 'SET', 'maxmemory', most)
    redis.disconnect()
  }
}

const chosen = process.env['E2E_REDIS'] ?? 'plain'
const isKind = (name: string): name is keyof typeof kinds => name in kinds

export const startChosen = (): Promise<Kind> => {
  if (!isKind(chosen)) throw new Error(`E2E_REDIS is one of ${Object.keys(kinds).join(', ')}, not ${chosen}`)
  return kinds[chosen]()
}
