import { z } from 'zod'
import { AllowedAddresses } from '@plumbline/adapters/fetching/target'

export const WebhooksEnv = z.object({
  /** Where people open the app: messages link to it. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'write it as https://host, as people open the app' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  ALLOW_PRIVATE_ADDRESSES: AllowedAddresses,
})
export type WebhooksEnv = z.infer<typeof WebhooksEnv>
