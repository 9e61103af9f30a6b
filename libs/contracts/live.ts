import { z } from 'zod'

/** Who sends a key, and what it may do: a page shows what its reader can use. */
export const Me = z.object({
  name: z.string(),
  tenant: z.string(),
  roles: z.array(z.string()),
  /** `local`: no keys are set here, and everyone on this machine is this one. */
  mode: z.enum(['local', 'keys']),
  /** What answers are made with here. */
  models: z.string(),
})
export type Me = z.infer<typeof Me>

/** What changed, and nothing of how: whoever may see it reads it again. */
export const LiveHint = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), id: z.string() }),
  z.object({ type: z.literal('document'), id: z.string() }),
  /** What is parked in this tenant, who has it open, or whose it is. */
  z.object({ type: z.literal('desk') }),
])
export type LiveHint = z.infer<typeof LiveHint>

/** What one connection is told of. Each is told once when the connection opens, so that nothing is missed between two. */
export type LiveTopics = { runs: readonly string[]; documents: readonly string[]; desk: boolean }
