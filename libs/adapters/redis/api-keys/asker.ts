import type { AccessTags } from '@plumbline/contracts'
import type { z } from 'zod'

/** Contains a token's rights, because a token cannot be checked again later. A key's rights are read from the key. */
export type Asker = { name: string; roles: string[]; access: z.infer<typeof AccessTags> | 'all' }
