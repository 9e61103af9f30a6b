import type { RunStatus } from '@plumbline/contracts'
import { withScripts, type RedisClient } from '../client/client'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import { type Page, type Position, readPage } from '../client/sorted-sets'
import branchThread from './lua/branch-thread.lua'
import claimThread from './lua/claim-thread.lua'
import renameThread from './lua/rename-thread.lua'

const leastKeptMs = 7 * 86_400_000
const mostListed = 200
const pieceSize = 50
const lookedAtPerPage = 500

/** `text` is the stored value, which contains the other fields. `before` is the id of the previous run. */
export type LastRun = { runId: string; at: number; before: string | undefined; text: string }

const lastRunIn = (text: string): LastRun => {
  const [runId = '', at = '0', before] = text.split(' ')
  return { runId, at: Number(at), before, text }
}

type Access = 'all' | readonly string[]
/** `access` determines who may see the run. */
export type ThreadRun = { id: string; at: number; question: string; access?: Access }
export type ListedThread = {
  id: string
  title: { text: string; access?: Access } | undefined
  branchOf?: string
  runs: (ThreadRun & { status: RunStatus })[]
}
export type ThreadKey = { tenant: string; hash: string }
/** Without `listed`, the last run is removed from the thread's list of runs. */
type Next = { last: Omit<LastRun, 'text'> | undefined; listed?: { threadId: string; run: ThreadRun } }
/** `of` is the thread whose runs before `replaced` are copied into the new thread. */
type Branch = {
  replaced: string
  before: string | undefined
  threadId: string
  of: { hash: string; threadId: string }
  at: number
}
type RunFilter = (run: ThreadRun) => boolean

const readThread = async (
  redis: RedisClient,
  { tenant, hash }: ThreadKey,
  wanted: RunFilter,
): Promise<ListedThread | null> => {
  const [[id, title, branchOf], entries] = await Promise.all([
    redis.hmget(keys.threadAbout(tenant, hash), 'id', 'title', 'branchOf'),
    redis.lrange(keys.threadRuns(tenant, hash), 0, -1),
  ])
  const known = entries.map((entry) => JSON.parse(entry) as ThreadRun).filter(wanted)
  const statuses = await Promise.all(known.map((run) => redis.hget(keys.state(run.id), 'status')))
  const runs = known.flatMap((run, i) => (statuses[i] ? [{ ...run, status: statuses[i] as RunStatus }] : []))
  if (!id || runs.length === 0) return null
  const named = title ? (JSON.parse(title) as ListedThread['title']) : undefined
  return { id, title: named, runs, ...(branchOf && { branchOf }) }
}

const listThreads = async (
  redis: RedisClient,
  tenant: string,
  { cursor, limit, wanted }: Pick<Page<never>, 'cursor' | 'limit'> & { wanted: RunFilter },
): Promise<{ threads: ListedThread[]; next: string | null }> => {
  const rowsOf = (piece: Position[]) =>
    Promise.all(piece.map(({ id: hash }) => readThread(redis, { tenant, hash }, wanted)))
  const page = { cursor, limit, lookedAt: lookedAtPerPage, pieceSize }
  const { rows, next } = await readPage(redis, keys.threads(tenant), rowsOf, page)
  return { threads: rows, next }
}

const branchingIn = (redis: RedisClient, keptMs: number) => {
  const { threadBranch } = withScripts(redis, { threadBranch: { lua: branchThread, numberOfKeys: 5 } })
  return async ({ tenant, hash }: ThreadKey, { replaced, before, threadId, of, at }: Branch): Promise<boolean> =>
    (await threadBranch(
      keys.thread(tenant, hash),
      keys.threadRuns(tenant, hash),
      keys.threadAbout(tenant, hash),
      keys.threads(tenant),
      keys.threadRuns(tenant, of.hash),
      replaced,
      before === undefined ? '' : `${before} 0`,
      keptMs,
      hash,
      threadId,
      of.threadId,
      at,
    )) === 1
}

/** Opens the store of threads (conversations). A thread is stored as long as its last run, and for at least a week. */
export const openThreads = (redis: RedisClient, retentionMs = 0) => {
  const { threadClaim, threadRename } = withScripts(redis, {
    threadClaim: { lua: claimThread, numberOfKeys: 4 },
    threadRename: { lua: renameThread, numberOfKeys: 1 },
  })
  const keptMs = Math.max(leastKeptMs, retentionMs)
  return throughCall(withTimeout(answerWithinMs), {
    last: async ({ tenant, hash }: ThreadKey): Promise<LastRun | undefined> => {
      const text = await redis.get(keys.thread(tenant, hash))
      return text === null ? undefined : lastRunIn(text)
    },
    claim: async ({ tenant, hash }: ThreadKey, seen: LastRun | undefined, { last, listed }: Next): Promise<boolean> => {
      const text = last ? [last.runId, last.at, last.before].filter((part) => part !== undefined).join(' ') : ''
      const claimed = await threadClaim(
        keys.thread(tenant, hash),
        keys.threadRuns(tenant, hash),
        keys.threadAbout(tenant, hash),
        keys.threads(tenant),
        seen?.text ?? '',
        text,
        keptMs,
        listed ? JSON.stringify(listed.run) : '',
        mostListed,
        hash,
        listed?.threadId ?? '',
        listed?.run.at ?? 0,
      )
      return claimed === 1
    },
    branch: branchingIn(redis, keptMs),
    read: (key: ThreadKey, wanted: RunFilter) => readThread(redis, key, wanted),
    list: (tenant: string, page: Parameters<typeof listThreads>[2]) => listThreads(redis, tenant, page),
    rename: async ({ tenant, hash }: ThreadKey, title: NonNullable<ListedThread['title']>): Promise<boolean> =>
      (await threadRename(keys.threadAbout(tenant, hash), JSON.stringify(title))) === 1,
    remove: async ({ tenant, hash }: ThreadKey): Promise<void> => {
      await Promise.all([
        redis.zrem(keys.threads(tenant), hash),
        redis.unlink(keys.thread(tenant, hash), keys.threadRuns(tenant, hash), keys.threadAbout(tenant, hash)),
      ])
    },
  })
}
export type ThreadStore = ReturnType<typeof openThreads>
