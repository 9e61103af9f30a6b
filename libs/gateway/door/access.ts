import type { Caller } from './api-keys'
import { wrongField } from './problem'

/** What an ask reads with: the caller's own tags, or those of them that it names. */
export const accessOf = ({ access }: Caller, asked: readonly string[] | undefined): string[] | 'all' => {
  if (asked === undefined) return access === 'all' ? 'all' : [...access]
  const beyond = access === 'all' ? [] : asked.filter((tag) => !access.includes(tag))
  if (beyond.length > 0) throw wrongField('access', `this key does not have ${beyond.join(', ')}`)
  return [...asked]
}
