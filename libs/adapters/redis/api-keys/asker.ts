import type { AccessTags } from '@plumbline/contracts'
import type { z } from 'zod'

/** The rights of a token are stored, because the token is not. The current rights of an API key are read again. */
export type Asker = { name: string; roles: string[]; access: z.infer<typeof AccessTags> | 'all' }
