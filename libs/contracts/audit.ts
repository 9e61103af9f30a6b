import { z } from 'zod'
import { Cursor } from './text'

/**
 * The outcome of an action. `refused`: the caller lacked permission. `failed`: an error occurred, and the action may
 * have taken effect. `unknown`: the gateway stopped during the action.
 */
const AuditOutcome = z.enum(['done', 'refused', 'failed', 'unknown'])

/** The action that an audit entry records. */
export const AuditFact = z.object({
  /** The name of a key, or the name of a reviewer that was sent with a key. */
  actor: z.string(),
  action: z.string(),
  /** The ids or names of the changed objects. Never contains the text of a question or a document. */
  target: z.string(),
  outcome: AuditOutcome,
})
export type AuditFact = z.infer<typeof AuditFact>

export const AuditEntry = AuditFact.extend({
  /** The number of the entry. The first entry has number 1, and no number is skipped. */
  seq: z.number().int(),
  at: z.string(),
  /** The hash of the previous entry. */
  prev: z.string(),
  /** The SHA-256 hash of the entry's `auditText`, in hexadecimal. */
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/**
 * The entry before the first stored one: the last entry that retention removed. If none was removed, `seq` is 0 and the
 * hash is all zeros.
 */
export const AuditAnchor = z.object({ seq: z.number().int(), hash: z.string() })
export type AuditAnchor = z.infer<typeof AuditAnchor>
export const auditStart: AuditAnchor = { seq: 0, hash: '0'.repeat(64) }

/** The first line of an exported log. The entries follow, one per line. */
export const AuditHeader = z.object({ tenant: z.string(), anchor: AuditAnchor })
export type AuditHeader = z.infer<typeof AuditHeader>

export const AuditPage = z.object({ items: z.array(AuditEntry), next: Cursor, anchor: AuditAnchor })
export type AuditPage = z.infer<typeof AuditPage>

/** Returns the text of an entry that is hashed: all fields except the hash, as JSON in this order. */
export const auditText = (entry: Omit<AuditEntry, 'hash'>): string => {
  const { prev, seq, at, actor, action, target, outcome } = entry
  return JSON.stringify({ prev, seq, at, actor, action, target, outcome })
}
