import { z } from 'zod'
import { Cursor } from './text'

/**
 * `refused`: the caller lacks permission. `failed`: the gateway does not know whether the action took effect.
 * `unknown`: the action was interrupted.
 */
const AuditOutcome = z.enum(['done', 'refused', 'failed', 'unknown'])

/** The fields of an entry that its hash covers, in order. */
export const AuditFact = z.object({
  /** The name of a key, or of a reviewer as given by a key. */
  actor: z.string(),
  action: z.string(),
  /** The ids or names of the changed objects, never the text of a question or a document. */
  target: z.string(),
  outcome: AuditOutcome,
})
export type AuditFact = z.infer<typeof AuditFact>

export const AuditEntry = AuditFact.extend({
  /** The number of the entry. The first entry is 1, and no number is skipped. */
  seq: z.number().int(),
  at: z.string(),
  /** The hash of the previous entry. */
  prev: z.string(),
  /** SHA-256 of the entry's `auditText`, in hex. */
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/**
 * The start of the log: the last entry that retention removed. If none was removed, `seq` is 0 and the hash is all
 * zeros.
 */
export const AuditAnchor = z.object({ seq: z.number().int(), hash: z.string() })
export type AuditAnchor = z.infer<typeof AuditAnchor>
export const auditStart: AuditAnchor = { seq: 0, hash: '0'.repeat(64) }

/** The first line of an export. The entries follow, one per line. */
export const AuditHeader = z.object({ tenant: z.string(), anchor: AuditAnchor })
export type AuditHeader = z.infer<typeof AuditHeader>

export const AuditPage = z.object({ items: z.array(AuditEntry), next: Cursor, anchor: AuditAnchor })
export type AuditPage = z.infer<typeof AuditPage>

/** Returns the hashed text of an entry: its fields without the hash, as JSON, in this order. */
export const auditText = (entry: Omit<AuditEntry, 'hash'>): string => {
  const { prev, seq, at, actor, action, target, outcome } = entry
  return JSON.stringify({ prev, seq, at, actor, action, target, outcome })
}
