import type { WholePolicy } from './policy'
import { standard } from './standard'

/** As `standard`, as deep as the question, the deadline and the price allow: a try is opened only where what is left will do for it. */
export const auto: WholePolicy = { ...standard, name: 'auto', depth: 'auto' }
