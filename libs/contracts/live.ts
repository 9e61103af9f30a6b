import { z } from 'zod'

export const Me = z.object({
  name: z.string(),
  tenant: z.string(),
  roles: z.array(z.string()),
  /** `local`: the gateway has no keys, so everybody on this machine is the same caller. */
  mode: z.enum(['local', 'keys']),
  models: z.string(),
  /** Nearly all questions of the last day took less time. Absent if nobody asked a question. */
  usualMs: z.number().optional(),
  /** The features of this installation, such as `webhooks`. Absent in older gateways, which offer all features. */
  features: z.array(z.string()).optional(),
})
export type Me = z.infer<typeof Me>

/** Tells clients only that an object changed. A client with access then loads the object again. */
export const LiveHint = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), id: z.string() }),
  z.object({ type: z.literal('document'), id: z.string() }),
  /** A run that waits for review has changed, or the reviewer who has opened it or is assigned to it. */
  z.object({ type: z.literal('desk') }),
])
export type LiveHint = z.infer<typeof LiveHint>

/** When a connection opens, each topic is reported as changed, so that no change is missed. */
export type LiveTopics = { runs: readonly string[]; documents: readonly string[]; desk: boolean }
