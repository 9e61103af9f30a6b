import { z } from 'zod'
import { Filters } from './filters'
import { Metadata } from './metadata'
import { givenId, plainText } from './text'

/**
 * The access tags of a document or a reader. A tagged document is readable only with one of its tags. Every reader of
 * the tenant may read an untagged document.
 */
export const AccessTags = z
  .array(z.string().regex(/^[\w.:@-]{1,64}$/, 'use at most 64 characters: letters, digits and . : @ _ -'))
  .max(64)

export const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'use at most 63 characters: lower-case letters, digits and dashes')

export const Limits = z.strictObject({
  rewrites: z.number().int().min(0).optional(),
  webSearches: z.number().int().min(0).optional(),
  regenerations: z.number().int().min(0).optional(),
  augments: z.number().int().min(0).optional(),
  /** The maximum number of retries of all kinds together. Applies only if the policy counts all retries together. */
  retries: z.number().int().min(0).optional(),
  steps: z.number().int().min(1).optional(),
  moves: z.number().int().min(4).optional(),
  tokens: z.number().int().min(0).optional(),
  cents: z.number().min(0).optional(),
})
export type Limits = z.infer<typeof Limits>

/**
 * The priority of a question. `batch` questions run only after `interactive` ones, because a person waits for an
 * interactive answer.
 */
export const AskClass = z.enum(['interactive', 'batch'])
export type AskClass = z.infer<typeof AskClass>
/**
 * The handling of a question whose thread has a run in progress. `queue`: the question waits. `refuse`: it is refused.
 * `replace`: the run in progress is cancelled.
 */
export const WhenBusy = z.enum(['queue', 'refuse', 'replace'])
export type WhenBusy = z.infer<typeof WhenBusy>

export const Ask = z.strictObject({
  question: plainText.trim().min(1, 'write a question').max(4_000, 'use fewer than 4,000 characters'),
  policy: name.optional(),
  limits: Limits.optional(),
  collection: name.optional(),
  threadId: givenId.optional(),
  /**
   * The id of a run whose question is asked again. The new run starts a new branch of the thread, which keeps only the
   * turns before that run. `threadId` may set the id of the branch.
   */
  replaces: z
    .string()
    .regex(/^r[0-9a-z]{24}$/, 'send the id of a run')
    .optional(),
  /** The treatment of this question if its thread has a run in progress. The deployment sets the default. */
  whenBusy: WhenBusy.optional(),
  filters: Filters.optional(),
  /**
   * Limits the run to documents that are readable with these access tags, such as those of one user. The key must have
   * all of these tags.
   */
  access: AccessTags.optional(),
  metadata: Metadata.optional(),
  deadlineMs: z.number().int().min(1_000).max(3_600_000).optional(),
  /** `off`: no part of the answer is released before the whole answer is checked. */
  releaseBySentence: z.literal('off', 'send off, or omit the field').optional(),
  /** The default is `interactive`. */
  class: AskClass.optional(),
})
export type Ask = z.infer<typeof Ask>

/** An error as RFC 9457 problem details. `type` never changes for the same problem, so clients may branch on it. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})
export type Problem = z.infer<typeof Problem>
