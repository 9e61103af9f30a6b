import { z } from 'zod'
import { Filters } from './filters'
import { Metadata } from './metadata'
import { givenId, plainText } from './text'

/** Access tags restrict who may read a document: a caller needs one of them. Without tags, all of the tenant may. */
export const AccessTags = z
  .array(z.string().regex(/^[\w.:@-]{1,64}$/, 'use at most 64 characters: letters, digits and . : @ _ -'))
  .max(64)

export const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'use at most 63 characters: lower-case letters, digits and dashes')

const mostCollections = 64
/** The collections that a request searches. Without this field, it searches all that the caller may read. */
export const SomeCollections = z.union(
  [
    name,
    z
      .array(name)
      .min(1, 'name at least one collection, or omit the field')
      .max(mostCollections, `name at most ${mostCollections} collections`),
  ],
  { error: 'send the name of a collection, or a list of names' },
)
export type SomeCollections = z.infer<typeof SomeCollections>

export const Limits = z.strictObject({
  rewrites: z.number().int().min(0).optional(),
  webSearches: z.number().int().min(0).optional(),
  regenerations: z.number().int().min(0).optional(),
  augments: z.number().int().min(0).optional(),
  /** The maximum number of retries of all kinds together. It has no effect if the policy sets no such limit. */
  retries: z.number().int().min(0).optional(),
  steps: z.number().int().min(1).optional(),
  moves: z.number().int().min(4).optional(),
  tokens: z.number().int().min(0).optional(),
  cents: z.number().min(0).optional(),
})
export type Limits = z.infer<typeof Limits>

/** If both classes wait, the `interactive` questions of a tenant get ten times the share of its `batch` questions. */
export const AskClass = z.enum(['interactive', 'batch'])
export type AskClass = z.infer<typeof AskClass>
/**
 * Used if the thread already has a run in progress. `queue` lets the new question wait, `refuse` refuses the
 * question, and `replace` cancels the run in progress.
 */
export const WhenBusy = z.enum(['queue', 'refuse', 'replace'])
export type WhenBusy = z.infer<typeof WhenBusy>

export const Ask = z.strictObject({
  question: plainText.trim().min(1, 'write a question').max(4_000, 'use fewer than 4,000 characters'),
  policy: name.optional(),
  limits: Limits.optional(),
  collection: SomeCollections.optional(),
  threadId: givenId.optional(),
  /** The id of an earlier run in the thread. The question starts a branch with only the turns before that run. */
  replaces: z
    .string()
    .regex(/^r[0-9a-z]{24}$/, 'send the id of a run')
    .optional(),
  whenBusy: WhenBusy.optional(),
  filters: Filters.optional(),
  /** The run reads only documents with one of these tags or without tags. The caller's key must have all the tags. */
  access: AccessTags.optional(),
  metadata: Metadata.optional(),
  deadlineMs: z.number().int().min(1_000).max(3_600_000).optional(),
  /** With `off`, no part of the answer is released before the whole answer is checked. */
  releaseBySentence: z.literal('off', 'send "off", or omit the field').optional(),
  class: AskClass.optional(),
})
export type Ask = z.infer<typeof Ask>

/** `type` never changes for the same problem, so clients may compare it. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})
export type Problem = z.infer<typeof Problem>
