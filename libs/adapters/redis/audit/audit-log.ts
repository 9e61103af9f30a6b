import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type AuditAnchor, AuditEntry, AuditFact, auditStart, auditText } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { withScripts, type RedisClient } from '../client/client'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import { fromCursor, type Page, toCursor } from '../client/sorted-sets'
import { inBatches } from './batches'
import appendAudit from './lua/append-audit.lua'
import trimAudit from './lua/trim-audit.lua'

const dayMs = 86_400_000
/** The maximum number of entries per tenant. Above the limit, the oldest entries are removed. */
const mostEntries = 200_000
const trimEveryMs = 3_600_000
/** An action counts as interrupted if its outcome is still unknown after this time. */
const cutOffMs = 15 * 60_000
const pieceSize = 500
const lookedAtMost = 5_000
const triesMost = 100

const BegunAction = z.object({ fact: AuditFact.omit({ outcome: true }), at: z.number() })
type BegunAction = z.infer<typeof BegunAction>
/** `anchor` is the last entry that was removed. `last` is the newest entry. `at` is the time of the newest entry. */
type Ends = { anchor: AuditAnchor; last: AuditAnchor; at: number }
type Fact = { id: string; fact: AuditFact }

const hashOf = (entry: Omit<AuditEntry, 'hash'>): string => createHash('sha256').update(auditText(entry)).digest('hex')
const iso = (ms: number): string => new Date(ms).toISOString()

const endsOf = async (redis: RedisClient, tenant: string): Promise<Ends> => {
  const { seq, hash, at, anchorSeq, anchorHash } = await redis.hgetall(keys.auditEnds(tenant))
  const anchor = anchorSeq && anchorHash ? { seq: Number(anchorSeq), hash: anchorHash } : auditStart
  const last = seq && hash ? { seq: Number(seq), hash } : auditStart
  return { anchor, last, at: Number(at ?? 0) }
}

const entriesOf = (found: [id: string, fields: string[]][]): AuditEntry[] =>
  found.map(([, [, text = '']]) => AuditEntry.parse(JSON.parse(text)))

async function* walk(redis: RedisClient, tenant: string): AsyncGenerator<AuditEntry[]> {
  let from = '-'
  for (;;) {
    const piece = entriesOf(await redis.xrange(keys.audit(tenant), from, '+', 'COUNT', pieceSize))
    if (piece.length > 0) yield piece
    if (piece.length < pieceSize) return
    from = `(${piece.at(-1)?.seq}-0`
  }
}

const trimmer = (redis: RedisClient, keptMs: number) => {
  const { auditTrim } = withScripts(redis, { auditTrim: { lua: trimAudit, numberOfKeys: 2 } })
  const lastOf = new Map<string, number>()
  return async (tenant: string): Promise<void> => {
    if ((lastOf.get(tenant) ?? 0) > Date.now() - trimEveryMs) return
    lastOf.set(tenant, Date.now())
    const { last } = await endsOf(redis, tenant)
    const oldest = keptMs > 0 ? iso(Date.now() - keptMs) : ''
    for await (const piece of walk(redis, tenant)) {
      const going = piece.filter(({ at, seq }) => at < oldest || seq <= last.seq - mostEntries)
      const end = going.at(-1)
      if (end) await auditTrim(keys.audit(tenant), keys.auditEnds(tenant), end.seq, end.hash)
      if (going.length < piece.length) return
    }
  }
}

const appender = (redis: RedisClient, keptMs: number) => {
  const { auditAppend } = withScripts(redis, { auditAppend: { lua: appendAudit, numberOfKeys: 3 } })
  /**
   * Returns the facts that are not in the log yet. After a lost reply of Redis, a caller may send facts again that are
   * already in the log.
   */
  const notYet = async (tenant: string, facts: Fact[]): Promise<Fact[]> => {
    const held = await redis.hmget(keys.auditBegun(tenant), ...facts.map(({ id }) => id))
    return facts.filter((_, at) => held[at] !== null)
  }
  const tryOnce = async (tenant: string, all: Fact[]): Promise<boolean> => {
    const facts = await notYet(tenant, all)
    if (facts.length === 0) return true
    const { last, at: lastAt } = await endsOf(redis, tenant)
    const now = Math.max(Date.now(), lastAt)
    const at = iso(now)
    let prev = last.hash
    const args = facts.flatMap(({ id, fact }, n) => {
      const entry = { prev, seq: last.seq + 1 + n, at, ...fact }
      prev = hashOf(entry)
      return [entry.seq, JSON.stringify({ ...entry, hash: prev }), prev, id]
    })
    const [log, ends, begun] = [keys.audit(tenant), keys.auditEnds(tenant), keys.auditBegun(tenant)]
    const read = last.seq === 0 ? '' : last.hash
    return (await auditAppend(log, ends, begun, read, keptMs > 0 ? keptMs + dayMs : 0, now, ...args)) === 1
  }
  return inBatches<Fact>(async (tenant, facts) => {
    for (let tried = 0; tried < triesMost; tried += 1) if (await tryOnce(tenant, facts)) return
    throw new AppError('store.unavailable', 'later', {
      cause: new Error('audit log entry not appended, because other processes kept changing the log'),
    })
  })
}

type AuditWanted = { action?: string; actor?: string; from?: number; to?: number }
type AuditQuery = Pick<Page<AuditEntry>, 'cursor' | 'limit'> & AuditWanted

const isWanted = (entry: AuditEntry, { action, actor, from = -Infinity, to = Infinity }: AuditWanted): boolean => {
  const at = Date.parse(entry.at)
  const matches = action === undefined || entry.action === action || entry.action.startsWith(`${action}.`)
  return matches && (actor === undefined || entry.actor === actor) && at >= from && at < to
}

const pageOf = async (redis: RedisClient, tenant: string, { cursor, limit, ...wanted }: AuditQuery) => {
  const items: AuditEntry[] = []
  const start = fromCursor(cursor)
  let from = start ? `(${start.score}-0` : '+'
  for (let lookedAt = 0; ;) {
    const piece = entriesOf(await redis.xrevrange(keys.audit(tenant), from, '-', 'COUNT', pieceSize))
    for (const entry of piece) {
      lookedAt += 1
      if (Date.parse(entry.at) < (wanted.from ?? -Infinity)) return { items, next: null }
      if (isWanted(entry, wanted)) items.push(entry)
      if (items.length === limit || lookedAt === lookedAtMost)
        return { items, next: entry.seq > 1 ? toCursor({ score: entry.seq, id: 'seq' }) : null }
    }
    if (piece.length < pieceSize) return { items, next: null }
    from = `(${piece.at(-1)?.seq}-0`
  }
}

/** Opens the audit log. Each entry contains the hash of the entry before, which reveals changed or missing entries. */
export const openAuditLog = (redis: RedisClient, keptDays: number) => {
  const keptMs = keptDays * dayMs
  const trim = trimmer(redis, keptMs)
  const append = appender(redis, keptMs)
  const settle = async (tenant: string): Promise<void> => {
    const all = Object.entries(await redis.hgetall(keys.auditBegun(tenant)))
    const read = all.map(([id, text]) => ({ id, ...BegunAction.parse(JSON.parse(text)) }))
    const cut = read.filter(({ at }) => at < Date.now() - cutOffMs)
    await Promise.all(cut.map(({ id, fact }) => append(tenant, { id, fact: { ...fact, outcome: 'unknown' } })))
  }
  const read = async (tenant: string): Promise<void> => {
    await settle(tenant)
    await trim(tenant)
  }
  return {
    ...throughCall(withTimeout(answerWithinMs), {
      /** Records an action before it changes data. If the action is interrupted, this record remains as evidence. */
      begin: async (tenant: string, id: string, fact: BegunAction['fact']): Promise<void> =>
        void (await redis.hset(keys.auditBegun(tenant), id, JSON.stringify({ fact, at: Date.now() }))),
      forget: async (tenant: string, id: string): Promise<void> => void (await redis.hdel(keys.auditBegun(tenant), id)),
      append: async (tenant: string, id: string, fact: AuditFact): Promise<void> => {
        await append(tenant, { id, fact })
        trim(tenant).catch(() => undefined)
      },
      page: async (tenant: string, asked: AuditQuery) => {
        await read(tenant)
        const page = await pageOf(redis, tenant, asked)
        return { ...page, anchor: (await endsOf(redis, tenant)).anchor }
      },
      anchor: async (tenant: string): Promise<AuditAnchor> => {
        await read(tenant)
        const { anchor, last } = await endsOf(redis, tenant)
        return (await redis.exists(keys.audit(tenant))) === 1 ? anchor : last
      },
    }),
    walk: (tenant: string): AsyncGenerator<AuditEntry[]> => walk(redis, tenant),
  }
}
export type AuditLog = ReturnType<typeof openAuditLog>
