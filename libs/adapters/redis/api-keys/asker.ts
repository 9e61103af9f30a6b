import type { AccessTags } from '@plumbline/contracts'
import type { z } from 'zod'

/**
 * The caller of a question that runs later, with the rights that the caller had at the time of the request. A caller
 * with a token keeps these rights. A caller with an API key gets the current rights of the key, but no access tags that
 * are missing here.
 */
export type Asker = { name: string; roles: string[]; access: z.infer<typeof AccessTags> | 'all' }
