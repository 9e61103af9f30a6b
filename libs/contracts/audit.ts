import { z } from 'zod'
import { Cursor } from './text'

/**
 * `refused`: the caller may not do that. `failed`: the gateway does not know whether it was done. `unknown`: it
 * stopped in the middle.
 */
const AuditOutcome = z.enum(['done', 'refused', 'failed', 'unknown'])

/** The hashed fields of an entry, in order. */
export const AuditFact = z.object({
  /** A key, or a reviewer as named by a key. */
  actor: z.string(),
  action: z.string(),
  /** The ids or names of the changed objects; never a question or a text. */
  target: z.string(),
  outcome: AuditOutcome,
})
export type AuditFact = z.infer<typeof AuditFact>

export const AuditEntry = AuditFact.extend({
  /** From 1, without a gap. */
  seq: z.number().int(),
  at: z.string(),
  /** The hash of the entry before. */
  prev: z.string(),
  /** SHA-256 of `auditText`, in hex. */
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** The start of the log: the last entry removed by its retention, or 0 and zeros if there is none. */
export const AuditAnchor = z.object({ seq: z.number().int(), hash: z.string() })
export type AuditAnchor = z.infer<typeof AuditAnchor>
export const auditStart: AuditAnchor = { seq: 0, hash: '0'.repeat(64) }

/** The first line of an export. */
export const AuditHeader = z.object({ tenant: z.string(), anchor: AuditAnchor })
export type AuditHeader = z.infer<typeof AuditHeader>

export const AuditPage = z.object({ items: z.array(AuditEntry), next: Cursor, anchor: AuditAnchor })
export type AuditPage = z.infer<typeof AuditPage>

/** Returns the hashed text of an entry: its fields without the hash, as JSON, in this order. */
export const auditText = (entry: Omit<AuditEntry, 'hash'>): string => {
  const { prev, seq, at, actor, action, target, outcome } = entry
  return JSON.stringify({ prev, seq, at, actor, action, target, outcome })
}
