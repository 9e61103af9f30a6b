import { z } from 'zod'
import { Cursor } from './text'

/** `refused`: the caller may not do that. `failed`: the gateway could not say whether it was done. `unknown`: it stopped in the middle. */
const AuditOutcome = z.enum(['done', 'refused', 'failed', 'unknown'])

/** What an entry says, in the order in which it is hashed. */
export const AuditFact = z.object({
  /** A key, or who sat at the desk as a key named them. */
  actor: z.string(),
  action: z.string(),
  /** The ids or names of what was changed; never a question or a text. */
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
  /** SHA-256, in hex, of what `auditText` says. */
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** Where the log begins: the last entry that its retention took away, or 0 and zeros where nothing was. */
export const AuditAnchor = z.object({ seq: z.number().int(), hash: z.string() })
export type AuditAnchor = z.infer<typeof AuditAnchor>
export const auditStart: AuditAnchor = { seq: 0, hash: '0'.repeat(64) }

/** The first line of an export. */
export const AuditHeader = z.object({ tenant: z.string(), anchor: AuditAnchor })
export type AuditHeader = z.infer<typeof AuditHeader>

export const AuditPage = z.object({ items: z.array(AuditEntry), next: Cursor, anchor: AuditAnchor })
export type AuditPage = z.infer<typeof AuditPage>

/** What the hash of an entry is taken of: the entry without it, as JSON, its fields in this order. */
export const auditText = (entry: Omit<AuditEntry, 'hash'>): string => {
  const { prev, seq, at, actor, action, target, outcome } = entry
  return JSON.stringify({ prev, seq, at, actor, action, target, outcome })
}
