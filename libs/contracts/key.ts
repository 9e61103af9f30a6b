import { z } from 'zod'
import { AccessTags, name } from './ask'
import { shownName } from './text'

/** The roles of a key. An admin may do everything within a tenant, but only an operator may change shared settings. */
export const KeyRole = z.enum(['asker', 'reviewer', 'admin', 'names-reviewers', 'operator'])
export type KeyRole = z.infer<typeof KeyRole>

/** With `all`, the key may read all documents. With tags, it may read documents with one of them or without tags. */
export const KeyAccess = z.union([z.literal('all'), AccessTags])
export type KeyAccess = z.infer<typeof KeyAccess>

const KeyName = shownName.pipe(z.string().min(1).max(80))
const KeyRoles = z
  .array(KeyRole)
  .min(1, 'choose at least one role')
  .refine((roles) => new Set(roles).size === roles.length, 'name each role once')

export const NewKey = z.strictObject({
  name: KeyName,
  roles: KeyRoles,
  access: KeyAccess.optional(),
  /** The end of the key's validity. If the field is absent, the key is valid until it is revoked. */
  expiresAt: z.iso
    .datetime({ offset: true, error: 'send a time in ISO format, such as 2027-11-22T20:00:00Z' })
    .optional(),
  /** Only an operator may name a tenant other than the operator's own. */
  tenant: name.optional(),
})
export type NewKey = z.infer<typeof NewKey>

const KeyStatus = z.enum(['active', 'expired', 'revoked'])

export const KeyView = z.object({
  /** The id stays the same when the key is rotated. */
  id: z.string(),
  name: z.string(),
  tenant: z.string(),
  prefix: z.string(),
  roles: z.array(KeyRole),
  access: KeyAccess,
  status: KeyStatus,
  createdAt: z.string(),
  createdBy: z.string(),
  expiresAt: z.string().optional(),
  rotatedAt: z.string().optional(),
  /** The time until which the previous secret key stays valid. */
  oldUntil: z.string().optional(),
  revokedAt: z.string().optional(),
  /** The time of the last use, rounded to a minute. */
  lastUsedAt: z.string().optional(),
})
export type KeyView = z.infer<typeof KeyView>

/** `fixed` is the number of keys from the gateway's settings. Such keys can be changed only in the settings. */
export const KeyList = z.object({ items: z.array(KeyView), fixed: z.number().int() })
export type KeyList = z.infer<typeof KeyList>

export const KeyNames = z.object({ items: z.array(KeyView.pick({ id: true, name: true })) })
export type KeyNames = z.infer<typeof KeyNames>

/** A key with its secret. Only the response that creates or rotates the key contains the secret. */
export const KeyWithSecret = KeyView.extend({ key: z.string() })
export type KeyWithSecret = z.infer<typeof KeyWithSecret>

const mostGraceSeconds = 30 * 86_400
export const KeyRotation = z.strictObject({
  graceSeconds: z.number().int().min(0).max(mostGraceSeconds).default(3_600),
})
export type KeyRotation = z.infer<typeof KeyRotation>
