import { z } from 'zod'
import { plainText } from './text'

export const ReviewAction = z.enum(['approve', 'edit', 'retry', 'research', 'reject'])
export type ReviewAction = z.infer<typeof ReviewAction>

const named = {
  taskId: z.string().min(1).max(64),
  decisionId: z.string().min(1).max(64),
  note: plainText.max(2_000).optional(),
}
export const Decision = z.discriminatedUnion('action', [
  z.strictObject({ ...named, action: z.literal('approve') }),
  z.strictObject({ ...named, action: z.literal('edit'), text: plainText.trim().min(1).max(20_000) }),
  z.strictObject({ ...named, action: z.literal('retry'), guidance: plainText.max(2_000).optional() }),
  z.strictObject({ ...named, action: z.literal('research'), guidance: plainText.trim().min(1).max(2_000) }),
  z.strictObject({ ...named, action: z.literal('reject') }),
])
export type Decision = z.infer<typeof Decision>
