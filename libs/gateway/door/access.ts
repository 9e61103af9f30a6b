import type { Caller } from './api-keys'
import { wrongField } from './problem'

type Access = Caller['access']

/** What an ask reads with: the caller's own tags, or those of them that it names. */
export const accessOf = ({ access }: Caller, asked: readonly string[] | undefined): string[] | 'all' => {
  if (asked === undefined) return access === 'all' ? 'all' : [...access]
  const beyond = access === 'all' ? [] : asked.filter((tag) => !access.includes(tag))
  if (beyond.length > 0) throw wrongField('access', `this key does not have ${beyond.join(', ')}`)
  return [...asked]
}

/** Whether who reads with these tags may read a document that is marked so; without a mark it is for all of its tenant. */
export const mayRead = (access: Access, marks: readonly string[] = []): boolean =>
  access === 'all' || marks.length === 0 || marks.some((tag) => access.includes(tag))

/** Whether who reads with these tags could have found all that was found with those: a run shows what it read. */
export const covers = (access: Access, other: Access = []): boolean =>
  access === 'all' || (other !== 'all' && other.every((tag) => access.includes(tag)))
