import type { AccessTags } from '@plumbline/contracts'
import type { z } from 'zod'

/**
 * The caller of a question that runs later, with the rights at the time of the request. A token keeps these rights. An
 * API key has its current rights, but gets no access tags that are missing here.
 */
export type Asker = { name: string; roles: string[]; access: z.infer<typeof AccessTags> | 'all' }
