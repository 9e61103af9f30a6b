import { z } from 'zod'

/** RFC 9457 problem details. `type` is stable: clients may switch on it. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})
export type Problem = z.infer<typeof Problem>
