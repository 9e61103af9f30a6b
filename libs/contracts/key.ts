import { z } from 'zod'
import { AccessTags, name } from './ask'
import { shownName } from './text'

/** What a key may do. An admin may do all that is done within a tenant; what all tenants share is the operator's. */
export const KeyRole = z.enum(['asker', 'reviewer', 'admin', 'names-reviewers', 'operator'])
export type KeyRole = z.infer<typeof KeyRole>

/** What may be read beside documents without tags: those with one of these, or all of the tenant. */
export const KeyAccess = z.union([z.literal('all'), AccessTags])
export type KeyAccess = z.infer<typeof KeyAccess>

const KeyName = shownName.pipe(z.string().min(1).max(80))
const KeyRoles = z
  .array(KeyRole)
  .min(1, 'name one role at least')
  .refine((roles) => new Set(roles).size === roles.length, 'name each role once')

export const NewKey = z.strictObject({
  name: KeyName,
  roles: KeyRoles,
  access: KeyAccess.optional(),
  /** From then on the key is refused; without it, it counts until it is revoked. */
  expiresAt: z.iso.datetime({ offset: true, error: 'send a time in ISO form, as 2027-11-22T20:00:00Z' }).optional(),
  /** Another tenant than the caller's: an operator may name one. */
  tenant: name.optional(),
})
export type NewKey = z.infer<typeof NewKey>

const KeyStatus = z.enum(['active', 'expired', 'revoked'])

export const KeyView = z.object({
  /** The name under which the ledger and the audit log know who came with it; it stays when the key is rotated. */
  id: z.string(),
  name: z.string(),
  tenant: z.string(),
  /** How the key begins. */
  prefix: z.string(),
  roles: z.array(KeyRole),
  access: KeyAccess,
  status: KeyStatus,
  createdAt: z.string(),
  createdBy: z.string(),
  expiresAt: z.string().optional(),
  rotatedAt: z.string().optional(),
  /** Until then the key from before the last rotation counts too. */
  oldUntil: z.string().optional(),
  revokedAt: z.string().optional(),
  /** To the minute. */
  lastUsedAt: z.string().optional(),
})
export type KeyView = z.infer<typeof KeyView>

/** `fixed`: how many keys of the tenant the settings of this gateway hold; they are changed there. */
export const KeyList = z.object({ items: z.array(KeyView), fixed: z.number().int() })
export type KeyList = z.infer<typeof KeyList>

/** The key is shown here and never again. */
export const KeyWithSecret = KeyView.extend({ key: z.string() })
export type KeyWithSecret = z.infer<typeof KeyWithSecret>

const mostGraceSeconds = 30 * 86_400
export const KeyRotation = z.strictObject({
  /** For so long the key from before counts too. */
  graceSeconds: z.number().int().min(0).max(mostGraceSeconds).default(3_600),
})
export type KeyRotation = z.infer<typeof KeyRotation>
