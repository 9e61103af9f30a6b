import { adaptive } from './adaptive'
import { agentic } from './agentic'
import { auto } from './auto'
import { corrective } from './corrective'
import type { Policy } from './policy'
import { research } from './research'
import { selfRag } from './self-rag'
import { selfReflective } from './self-reflective'
import { simple } from './simple'
import { standard } from './standard'

export const policies: Record<string, Policy> = {
  standard,
  simple,
  auto,
  research,
  adaptive,
  corrective,
  'self-reflective': selfReflective,
  agentic,
  'self-rag': selfRag,
}

/** Own names only: `constructor` is no policy. */
export const policyNamed = (name: string): Policy | undefined =>
  Object.hasOwn(policies, name) ? policies[name] : undefined
