import { z } from 'zod'

/** The caller's name and permissions. A page uses them to show only the functions that the caller may use. */
export const Me = z.object({
  name: z.string(),
  tenant: z.string(),
  roles: z.array(z.string()),
  /** `local`: there are no keys, so everyone on this machine has this identity. */
  mode: z.enum(['local', 'keys']),
  /** A label that names the models that write answers. */
  models: z.string(),
})
export type Me = z.infer<typeof Me>

/** Announces a change without its content. A reader with access loads the changed object again. */
export const LiveHint = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), id: z.string() }),
  z.object({ type: z.literal('document'), id: z.string() }),
  /** A change of this tenant's parked runs, their leases or their assignees. */
  z.object({ type: z.literal('desk') }),
])
export type LiveHint = z.infer<typeof LiveHint>

/**
 * The topics of one connection. Each topic is announced once when the connection opens. Otherwise, a change between two
 * connections would be missed.
 */
export type LiveTopics = { runs: readonly string[]; documents: readonly string[]; desk: boolean }
