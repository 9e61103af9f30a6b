import { z } from 'zod'

type Raw = z.core.$ZodRawIssue

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object of texts by name',
}
const kindOf = (expected: string): string => kinds[expected] ?? expected

const ofType = ({ expected, input }: { expected: string; input?: unknown }): string =>
  `${input === undefined ? 'is missing: ' : ''}send ${kindOf(expected)}`
const ofSize = (origin: string, size: number | bigint, than: 'more' | 'less'): string => {
  const bound = than === 'more' ? 'at least' : 'at most'
  if (origin === 'string') return `send ${bound} ${size} ${size === 1 ? 'character' : 'characters'}`
  return origin === 'array' ? `send ${bound} ${size}` : `send ${size} or ${than}`
}
const oneOf = (words: readonly unknown[]): string => `send one of ${words.map(String).join(', ')}`
const unknownField = ({ inst }: Raw): string =>
  `there is no such field: leave it out, or use one of ${inst instanceof z.ZodObject ? Object.keys(inst.shape).join(', ') : 'those of /docs'}`

/** What to send instead, for every field whose schema has no words of its own. */
export const inWords = (issue: Raw): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return ofType(issue)
    case 'too_small':
      return ofSize(issue.origin, issue.minimum, 'more')
    case 'too_big':
      return ofSize(issue.origin, issue.maximum, 'less')
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_union':
      return Array.isArray(issue.options) ? oneOf(issue.options) : undefined
    case 'unrecognized_keys':
      return unknownField(issue)
    default:
      return undefined
  }
}
