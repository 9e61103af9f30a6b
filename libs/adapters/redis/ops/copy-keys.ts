import { AppError } from '@plumbline/platform'
import type { Cluster, Redis } from 'ioredis'
import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'

type CopiedKeys = { keys: number; copied: number; runs: number }

const atOnce = 200
const isRun = (key: string): boolean => key.startsWith('run:{') && key.endsWith(':state')

const piecesOf = async function* (from: RedisClient): AsyncGenerator<string[]> {
  if (from.isCluster) throw new AppError('redis.cluster', 'never')
  const one = from as Redis
  for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
    const [next, found] = await one.scan(cursor, 'COUNT', atOnce)
    cursor = next
    yield found.filter((key) => key !== keys.moved)
  }
}

const isEmpty = async (redis: RedisClient): Promise<boolean> => {
  const nodes: (Redis | Cluster)[] = redis.isCluster ? (redis as Cluster).nodes('master') : [redis]
  const sizes = await Promise.all(nodes.map((node) => node.dbsize()))
  return sizes.every((size) => size === 0)
}

const copyOne = async (from: RedisClient, to: RedisClient, key: string): Promise<boolean | null> => {
  const [value, ttl, held] = await Promise.all([from.dumpBuffer(key), from.pttl(key), to.dumpBuffer(key)])
  if ((value as Buffer | null) === null || ttl === -2) return null
  if ((held as Buffer | null)?.equals(value)) return false
  await to.restore(key, Math.max(ttl, 0), value, 'REPLACE')
  return true
}

/**
 * Copies all keys from one Redis to another, or continues a copy that was interrupted. Returns null if an earlier call
 * has completed the copy. `from` must not be a cluster.
 */
export const copyKeys = async (
  from: RedisClient,
  to: RedisClient,
  tell: (copied: CopiedKeys) => void,
): Promise<CopiedKeys | null> => {
  const before = await to.get(keys.moved)
  if (before === 'done') return null
  if (before === null && !(await isEmpty(to))) throw new AppError('redis.taken', 'never')
  await to.set(keys.moved, 'under way')
  const all: CopiedKeys = { keys: 0, copied: 0, runs: 0 }
  for await (const piece of piecesOf(from)) {
    const copied = await Promise.all(piece.map((key) => copyOne(from, to, key)))
    all.keys += copied.filter((one) => one !== null).length
    all.copied += copied.filter((one) => one === true).length
    all.runs += piece.filter(isRun).length
    tell(all)
  }
  for await (const piece of piecesOf(from)) {
    const there = await Promise.all(piece.map((key) => to.exists(key)))
    const lost = piece.filter((_, at) => there[at] === 0)
    const still = await Promise.all(lost.map((key) => from.exists(key)))
    if (still.some((count) => count > 0)) throw new AppError('redis.lost', 'later')
  }
  await to.set(keys.moved, 'done')
  return all
}
