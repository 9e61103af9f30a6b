import { z } from 'zod'
import { AllowedAddresses } from '@plumbline/adapters/fetching/target'
import { PublicUrl } from '@plumbline/platform/env'

export const WebhooksEnv = z.object({
  PUBLIC_URL: PublicUrl,
  ALLOW_PRIVATE_ADDRESSES: AllowedAddresses,
})
export type WebhooksEnv = z.infer<typeof WebhooksEnv>
