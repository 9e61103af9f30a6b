import { z } from 'zod'

export const Me = z.object({
  name: z.string(),
  tenant: z.string(),
  roles: z.array(z.string()),
  /** `local` means that the gateway has no keys. Everybody on this machine is then the same caller. */
  mode: z.enum(['local', 'keys']),
  models: z.string(),
  /** Nearly all questions of the last day took less time than this. Absent if nobody asked a question. */
  usualMs: z.number().optional(),
  /** The features of this installation, such as `webhooks`. Older gateways offer all features and send no such list. */
  features: z.array(z.string()).optional(),
})
export type Me = z.infer<typeof Me>

/** Reports that an object has changed, without any content. A client with access then loads the object again. */
export const LiveHint = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), id: z.string() }),
  z.object({ type: z.literal('document'), id: z.string() }),
  /** A run that waits for review has changed, or another reviewer has opened it or is assigned to it. */
  z.object({ type: z.literal('desk') }),
])
export type LiveHint = z.infer<typeof LiveHint>

/** The objects that a client watches. A new connection reports each of them as changed, so that no change is missed. */
export type LiveTopics = { runs: readonly string[]; documents: readonly string[]; desk: boolean }
