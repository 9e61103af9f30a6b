import { z } from 'zod'
import { Filters } from './filters'
import { Metadata } from './metadata'
import { givenId, plainText } from './text'

/** Whoever has one of these may read what is marked with it; a document without any is for all of its tenant. */
export const AccessTags = z
  .array(z.string().regex(/^[\w.:@-]{1,64}$/, 'use letters, digits and . : @ _ -, 64 at most'))
  .max(64)

export const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'use lower-case letters, digits and dashes, 63 at most')

export const Limits = z.strictObject({
  rewrites: z.number().int().min(0).optional(),
  webSearches: z.number().int().min(0).optional(),
  regenerations: z.number().int().min(0).optional(),
  augments: z.number().int().min(0).optional(),
  /** All tries together, where the policy's counters are shared. */
  retries: z.number().int().min(0).optional(),
  steps: z.number().int().min(1).optional(),
  moves: z.number().int().min(4).optional(),
  tokens: z.number().int().min(0).optional(),
  cents: z.number().min(0).optional(),
})
export type Limits = z.infer<typeof Limits>

/** `batch` gives way to `interactive`, where somebody waits for the answer. */
export const AskClass = z.enum(['interactive', 'batch'])
export type AskClass = z.infer<typeof AskClass>
/** `queue`: it waits. `refuse`: it is refused. `replace`: the one under way is cancelled. */
export const WhenBusy = z.enum(['queue', 'refuse', 'replace'])
export type WhenBusy = z.infer<typeof WhenBusy>

export const Ask = z.strictObject({
  question: plainText.trim().min(1, 'write a question').max(4_000, 'keep the question under 4,000 characters'),
  policy: name.optional(),
  limits: Limits.optional(),
  collection: name.optional(),
  threadId: givenId.optional(),
  /** A run of a thread that is asked anew: the question goes on from what was before it, in a branch of its own that `threadId` may name. */
  replaces: z
    .string()
    .regex(/^r[0-9a-z]{24}$/, 'send the id of a run')
    .optional(),
  /** What becomes of the question while its thread has another one under way; as the deployment is set without it. */
  whenBusy: WhenBusy.optional(),
  filters: Filters.optional(),
  /** Read with these access tags only, as one of the asker's users may; none beyond the key's own. */
  access: AccessTags.optional(),
  metadata: Metadata.optional(),
  deadlineMs: z.number().int().min(1_000).max(3_600_000).optional(),
  /** `interactive` where it is left out. */
  class: AskClass.optional(),
})
export type Ask = z.infer<typeof Ask>

/** RFC 9457 problem details. `type` is stable: clients may switch on it. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})
export type Problem = z.infer<typeof Problem>
