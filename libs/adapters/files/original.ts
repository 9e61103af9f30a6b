import { z } from 'zod'

/** What stands beside a document's bytes. */
export const Original = z.object({
  name: z.string(),
  mediaType: z.string().optional(),
  bytes: z.number(),
  digest: z.string(),
  /** Where it came from after all redirects, and when. */
  url: z.string().optional(),
  fetchedAt: z.number().optional(),
})
export type OriginalAbout = Omit<z.infer<typeof Original>, 'bytes' | 'digest'>
/** A document's bytes as they were brought. */
export type Original = z.infer<typeof Original> & { path: string }
