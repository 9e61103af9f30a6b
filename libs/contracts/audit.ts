import { z } from 'zod'
import { Cursor } from './text'

/** `failed` actions may have taken effect. `unknown`: the gateway stopped during the action. */
const AuditOutcome = z.enum(['done', 'refused', 'failed', 'unknown'])

export const AuditFact = z.object({
  /** The id of the caller's key, with the name from the header X-Reviewer if the request has this header. */
  actor: z.string(),
  action: z.string(),
  /** Never contains the text of a question or a document. */
  target: z.string(),
  outcome: AuditOutcome,
})
export type AuditFact = z.infer<typeof AuditFact>

export const AuditEntry = AuditFact.extend({
  /** The first entry has number 1, and no number is skipped. */
  seq: z.number().int(),
  at: z.string(),
  prev: z.string(),
  /** The SHA-256 hash of the entry's `auditText`, in hexadecimal. */
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** The last entry that was removed when its retention ended. If none was removed, `seq` is 0 and the hash is zeros. */
export const AuditAnchor = z.object({ seq: z.number().int(), hash: z.string() })
export type AuditAnchor = z.infer<typeof AuditAnchor>
export const auditStart: AuditAnchor = { seq: 0, hash: '0'.repeat(64) }

export const AuditHeader = z.object({ tenant: z.string(), anchor: AuditAnchor })
export type AuditHeader = z.infer<typeof AuditHeader>

export const AuditPage = z.object({ items: z.array(AuditEntry), next: Cursor, anchor: AuditAnchor })
export type AuditPage = z.infer<typeof AuditPage>

/** Stored hashes depend on the order of these fields. */
export const auditText = (entry: Omit<AuditEntry, 'hash'>): string => {
  const { prev, seq, at, actor, action, target, outcome } = entry
  return JSON.stringify({ prev, seq, at, actor, action, target, outcome })
}
