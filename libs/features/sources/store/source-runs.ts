import { randomUUID } from 'node:crypto'
import type { SourceLastRun, SourceRunning } from '@plumbline/contracts'
import { withScripts, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { throughCall, withStoreErrors } from '@plumbline/adapters/redis/client/errors'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { openDueQueue } from '@plumbline/adapters/redis/client/due-queue'
import beginRun from './lua/begin-run.lua'
import endRun from './lua/end-run.lua'
import forgetSource from './lua/forget-source.lua'
import leaveRun from './lua/leave-run.lua'
import noteDocuments from './lua/note-source-documents.lua'
import noteRun from './lua/note-run.lua'
import { documentStates, openSourceRelease, type SourceDocument } from './source-documents'
import { type KeptSource, type RemovalMode, type RequestedRun, requestedRunOf } from './source'
import type { SourceKey } from './sources'

/** A run that does not renew its lease within this time counts as crashed. */
const sourceLeaseMs = 20_000
const perWrite = 500
const perRead = 1_000

export type OpenRun = SourceKey & {
  token: string
  run: number
  now: number
  source: KeptSource
  wanted: string
  /** The due time that was stored when the run began, or an empty string. */
  due: string
  asked: RequestedRun | null
  removing: RemovalMode | null
}
type BeginResult = { kind: 'gone' | 'taken' } | { kind: 'early'; next: number | null } | { kind: 'open'; open: OpenRun }
export type AskedMeanwhile = { wanted: string; removing: RemovalMode | null }

const leavingOf = (text: string | undefined): RemovalMode | null => (text === 'keep' || text === 'remove' ? text : null)

const openOf = (key: SourceKey, token: string, reply: string[]): OpenRun => {
  const [settings = '{}', run, now, wanted = '', removing, due = ''] = reply
  return {
    ...key,
    token,
    run: Number(run),
    now: Number(now),
    source: JSON.parse(settings) as KeptSource,
    wanted,
    due,
    asked: requestedRunOf(wanted),
    removing: leavingOf(removing),
  }
}

const scriptsOf = (redis: RedisClient) =>
  withScripts(redis, {
    sourceBegin: { lua: beginRun, numberOfKeys: 3 },
    sourceNote: { lua: noteRun, numberOfKeys: 2 },
    sourceDocumentsNote: { lua: noteDocuments, numberOfKeys: 2 },
    sourceEnd: { lua: endRun, numberOfKeys: 2 },
    sourceLeave: { lua: leaveRun, numberOfKeys: 1 },
    sourceForget: { lua: forgetSource, numberOfKeys: 4 },
  })

const documentsOf = (redis: RedisClient, scripts: Pick<ReturnType<typeof scriptsOf>, 'sourceDocumentsNote'>) => ({
  documents: async ({ tenant, name }: SourceKey): Promise<Map<string, SourceDocument>> => {
    const found = new Map<string, SourceDocument>()
    for (let cursor = '0'; ;) {
      const [next, pairs] = await redis.hscan(keys.sourceDocuments(tenant, name), cursor, 'COUNT', perRead)
      for (let at = 0; at < pairs.length; at += 2)
        found.set(pairs[at] ?? '', JSON.parse(pairs[at + 1] ?? '') as SourceDocument)
      if (next === '0') return found
      cursor = next
    }
  },
  noteDocuments: async (
    { tenant, name, token }: OpenRun,
    noted: (readonly [path: string, document: SourceDocument | null])[],
  ): Promise<boolean> => {
    const own = [keys.sourceLease(tenant, name), keys.sourceDocuments(tenant, name)]
    for (let at = 0; at < noted.length; at += perWrite) {
      const pairs = noted
        .slice(at, at + perWrite)
        .flatMap(([path, document]) => [path, document ? JSON.stringify(document) : ''])
      if ((await scripts.sourceDocumentsNote(...own, token, ...pairs)) !== 1) return false
    }
    return true
  },
})

/**
 * Opens the runs of sources. A source has one active run at most. The next run begins when this run ends or its lease
 * expires.
 */
export const openSourceRuns = (redis: RedisClient, leaseMs = sourceLeaseMs) => {
  const scripts = scriptsOf(redis)
  const keysOf = ({ tenant, name }: SourceKey) => ({
    settings: keys.sources(tenant),
    state: keys.sourceState(tenant, name),
    lease: keys.sourceLease(tenant, name),
    documents: keys.sourceDocuments(tenant, name),
  })
  return {
    leaseMs,
    ...throughCall(withStoreErrors, {
      ...openDueQueue(redis, 'sourcesDue'),
      ...documentsOf(redis, scripts),
      states: documentStates(redis),
      release: openSourceRelease(redis),
      begin: async (key: SourceKey): Promise<BeginResult> => {
        const { settings, state, lease } = keysOf(key)
        const token = randomUUID()
        const reply = (await scripts.sourceBegin(settings, state, lease, key.name, token, leaseMs)) as string[]
        const [kind, ...rest] = reply
        if (kind === 'open') return { kind, open: openOf(key, token, rest) }
        if (kind === 'early') return { kind, next: rest[0] ? Number(rest[0]) : null }
        return { kind: kind === 'gone' ? 'gone' : 'taken' }
      },
      note: async (open: OpenRun, running?: SourceRunning): Promise<AskedMeanwhile | null> => {
        const { state, lease } = keysOf(open)
        const args = [open.token, leaseMs, running ? JSON.stringify(running) : '']
        const reply = (await scripts.sourceNote(state, lease, ...args)) as [string, string] | null
        return reply && { wanted: reply[0], removing: leavingOf(reply[1]) }
      },
      end: async (open: OpenRun, last: SourceLastRun, next: number | null): Promise<{ again: boolean } | null> => {
        const { state, lease } = keysOf(open)
        const args = [open.token, JSON.stringify(last), next ?? '', open.wanted, open.due]
        const reply = (await scripts.sourceEnd(state, lease, ...args)) as string | null
        return reply === null ? null : { again: reply !== '' }
      },
      leave: async (open: OpenRun): Promise<void> => void (await scripts.sourceLeave(keysOf(open).lease, open.token)),
      forgetSource: async (open: OpenRun): Promise<boolean> => {
        const { settings, state, lease, documents } = keysOf(open)
        return (await scripts.sourceForget(settings, state, lease, documents, open.name, open.token)) === 1
      },
    }),
  }
}
export type SourceRuns = ReturnType<typeof openSourceRuns>
