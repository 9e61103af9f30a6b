import type { Policy } from './policy'
import { standard } from './standard'

export const policies: Record<string, Policy> = { standard }

/** Own names only: `constructor` is no policy. */
export const policyNamed = (name: string): Policy | undefined => (Object.hasOwn(policies, name) ? policies[name] : undefined)
