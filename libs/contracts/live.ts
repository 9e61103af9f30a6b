import { z } from 'zod'

/** A page shows only the functions that these permissions allow. */
export const Me = z.object({
  name: z.string(),
  tenant: z.string(),
  roles: z.array(z.string()),
  /** `local`: the gateway has no keys, so everybody on this machine is the same caller. */
  mode: z.enum(['local', 'keys']),
  models: z.string(),
})
export type Me = z.infer<typeof Me>

/** Never contains the content of the change. A reader with access loads the object again. */
export const LiveHint = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), id: z.string() }),
  z.object({ type: z.literal('document'), id: z.string() }),
  /** A change of the tenant's parked runs, or of their leases or assignees. */
  z.object({ type: z.literal('desk') }),
])
export type LiveHint = z.infer<typeof LiveHint>

/** Each topic is sent once when the connection opens, so that reconnecting clients load missed changes. */
export type LiveTopics = { runs: readonly string[]; documents: readonly string[]; desk: boolean }
