import { z } from 'zod'
import { Cursor } from './text'

/** An action that `failed` may still have taken effect. `unknown` means that the gateway stopped during the action. */
const AuditOutcome = z.enum(['done', 'refused', 'failed', 'unknown'])

export const AuditFact = z.object({
  /** The id of the caller's key. If the request has the header X-Reviewer, the name from this header is added. */
  actor: z.string(),
  action: z.string(),
  /** The object of the action. It never contains the text of a question or a document. */
  target: z.string(),
  outcome: AuditOutcome,
})
export type AuditFact = z.infer<typeof AuditFact>

export const AuditEntry = AuditFact.extend({
  /** The number of the entry. The first entry has number 1, and no number is skipped. */
  seq: z.number().int(),
  at: z.string(),
  prev: z.string(),
  /** The SHA-256 hash of the entry's `auditText`, in hexadecimal. */
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** The last entry that was removed at the end of its retention. Before the first removal: `seq` 0, `hash` all zeros. */
export const AuditAnchor = z.object({ seq: z.number().int(), hash: z.string() })
export type AuditAnchor = z.infer<typeof AuditAnchor>
export const auditStart: AuditAnchor = { seq: 0, hash: '0'.repeat(64) }

export const AuditHeader = z.object({ tenant: z.string(), anchor: AuditAnchor })
export type AuditHeader = z.infer<typeof AuditHeader>

export const AuditPage = z.object({ items: z.array(AuditEntry), next: Cursor, anchor: AuditAnchor })
export type AuditPage = z.infer<typeof AuditPage>

/** Returns the text that is hashed. The order of the fields must not change, because stored hashes depend on it. */
export const auditText = (entry: Omit<AuditEntry, 'hash'>): string => {
  const { prev, seq, at, actor, action, target, outcome } = entry
  return JSON.stringify({ prev, seq, at, actor, action, target, outcome })
}
