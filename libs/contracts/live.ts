import { z } from 'zod'

/** The caller's name and permissions, so that a page shows only usable functions. */
export const Me = z.object({
  name: z.string(),
  tenant: z.string(),
  roles: z.array(z.string()),
  /** `local`: there are no keys, and everyone on this machine has this identity. */
  mode: z.enum(['local', 'keys']),
  /** The models that write answers. */
  models: z.string(),
})
export type Me = z.infer<typeof Me>

/** An announced change, without its content. A reader with access loads it again. */
export const LiveHint = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), id: z.string() }),
  z.object({ type: z.literal('document'), id: z.string() }),
  /** The parked runs of this tenant, their leases, or their assignees. */
  z.object({ type: z.literal('desk') }),
])
export type LiveHint = z.infer<typeof LiveHint>

/**
 * The topics of one connection. Each is announced once when it opens, so that nothing is missed between two
 * connections.
 */
export type LiveTopics = { runs: readonly string[]; documents: readonly string[]; desk: boolean }
