import type { AccessTags } from '@plumbline/contracts'
import type { z } from 'zod'

/** A token's rights are stored, because it cannot be checked later. A key's rights are read again each time. */
export type Asker = { name: string; roles: string[]; access: z.infer<typeof AccessTags> | 'all' }
