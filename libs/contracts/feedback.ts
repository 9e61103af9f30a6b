import { z } from 'zod'
import { plainText } from './text'

/** What an asker says about an answer. */
export const Feedback = z.strictObject({ useful: z.boolean(), note: plainText.max(2_000).optional() })
export type Feedback = z.infer<typeof Feedback>
