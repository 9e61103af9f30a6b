import type { z } from 'zod'
import { WholePolicy } from './policy'

type AnyIssue = z.core.$ZodIssue
/** All that a schema of words, numbers and records can say. */
type Issue = Extract<
  AnyIssue,
  { code: 'invalid_value' | 'invalid_type' | 'too_big' | 'too_small' | 'unrecognized_keys' }
>
type Fields = Record<string, unknown>

const expectations: Record<string, string> = {
  int: 'whole number',
  number: 'number',
  string: 'text',
  object: 'record of fields',
}
const wanted = (expected: string): string => expectations[expected] ?? expected

const listed = (values: readonly unknown[]): string => values.map(String).join(', ')

const fieldsOf = (path: PropertyKey[]): string[] => {
  if (path.length === 0) return ['extends', ...Object.keys(WholePolicy.shape)]
  return path.length === 1 ? Object.keys(WholePolicy.shape.skills.shape) : ['tier', 'temperature']
}

const at = (record: Fields, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], record)

const bound = ({ inclusive }: { inclusive?: boolean }, at: string, beyond: string): string => (inclusive ? at : beyond)

/** One fault in words: where it is, what stands there, what may stand there. */
const told = (issue: Issue, record: Fields): string => {
  const field = issue.path.map(String).join('.')
  const value = at(record, issue.path)
  const shown = JSON.stringify(value)
  switch (issue.code) {
    case 'invalid_value':
      return value === undefined
        ? `${field} is missing; use one of ${listed(issue.values)}.`
        : `${field}: ${shown} is not allowed; use one of ${listed(issue.values)}.`
    case 'invalid_type':
      return value === undefined
        ? `${field} is missing; give a ${wanted(issue.expected)}.`
        : `${field}: ${shown} is no ${wanted(issue.expected)}.`
    case 'too_big':
      return `${field}: ${shown} is too much; ${bound(issue, 'at most', 'less than')} ${issue.maximum}.`
    case 'too_small':
      return `${field}: ${shown} is too little; ${bound(issue, 'at least', 'more than')} ${issue.minimum}.`
    case 'unrecognized_keys':
      return `${issue.keys.map((key) => [...issue.path, key].map(String).join('.')).join(', ')}: no such field; there are ${listed(fieldsOf(issue.path))}.`
  }
}

const isMissing = ({ path, code }: Issue, record: Fields): boolean =>
  code !== 'unrecognized_keys' && at(record, path) === undefined

/** A record that extends a policy nobody knows lacks much: that says nothing of its own. */
export const faultsIn = (issues: AnyIssue[], record: Fields, extendsUnknown: boolean): string[] =>
  (issues as Issue[])
    .filter((issue) => !(extendsUnknown && isMissing(issue, record)))
    .map((issue) => told(issue, record))
