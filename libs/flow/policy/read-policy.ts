import { name as policyName } from '@plumbline/contracts'
import type { z } from 'zod'
import { Policy, movesWithoutRetry } from './policy'

export class WrongPolicy extends Error {
  constructor(readonly faults: string[]) {
    super(faults.join('\n'))
    this.name = 'WrongPolicy'
  }
}

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const own = (fields: Fields, field: string): unknown => (Object.hasOwn(fields, field) ? fields[field] : undefined)

const over = (base: Fields, fields: Fields): Fields => {
  const won = Object.entries(fields).map(([field, value]) => {
    const before = own(base, field)
    return [field, isFields(value) && isFields(before) ? over(before, value) : value] as const
  })
  return Object.fromEntries([...Object.entries(base), ...won])
}

const baseFault = (extend: unknown, known: Fields): string[] =>
  extend === undefined || (typeof extend === 'string' && Object.hasOwn(known, extend))
    ? []
    : [`extends: there is no policy ${JSON.stringify(extend)}; use one of ${Object.keys(known).join(', ')}.`]

const nameFault = (name: unknown, known: Fields): string[] => {
  if (typeof name !== 'string') return ['name is missing. Give the policy a name of its own, as text.']
  if (Object.hasOwn(known, name)) return [`name: there is already a policy ${name}. Choose another name.`]
  return policyName.safeParse(name).success
    ? []
    : [
        `name: ${JSON.stringify(name)} is not a valid name. Use at most 63 characters: lower-case letters, digits and dashes.`,
      ]
}

const lengthFault = (policy: Policy): string[] => {
  const needed = movesWithoutRetry(policy)
  return policy.maxMoves >= needed
    ? []
    : [
        `maxMoves: ${policy.maxMoves} is too low, because a question without any retry already needs ${needed} moves. Set at least ${needed}.`,
      ]
}

export const readPolicy = (record: unknown, known: Record<string, Policy>): Policy => {
  if (!isFields(record))
    throw new WrongPolicy([
      'A policy is a record of fields: name, extends, and the fields that differ from the extended policy.',
    ])
  const { extends: extend, name, ...rest } = record
  const unknownBase = baseFault(extend, known)
  const base = own(known, String(extend))
  const fields = over(isFields(base) ? base : {}, { ...rest, name: String(name) })
  const read = Policy.safeParse(fields)
  const wrong = read.success ? lengthFault(read.data) : faultsIn(read.error.issues, fields, unknownBase.length > 0)
  const faults = [...nameFault(name, known), ...unknownBase, ...wrong]
  if (faults.length > 0 || !read.success) throw new WrongPolicy(faults)
  return read.data
}

type AnyIssue = z.core.$ZodIssue
type Issue = Extract<
  AnyIssue,
  { code: 'invalid_value' | 'invalid_type' | 'too_big' | 'too_small' | 'unrecognized_keys' }
>

const expectations: Record<string, string> = {
  int: 'whole number',
  number: 'number',
  string: 'text',
  object: 'record of fields',
}
const listed = (values: readonly unknown[]): string => values.map(String).join(', ')

const fieldsOf = (path: PropertyKey[]): string[] => {
  if (path.length === 0) return ['extends', ...Object.keys(Policy.shape)]
  return path.length === 1 ? Object.keys(Policy.shape.skills.shape) : ['tier', 'temperature']
}

const at = (record: Fields, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], record)

const bound = ({ inclusive }: { inclusive?: boolean }, at: string, beyond: string): string => (inclusive ? at : beyond)

const issueText = (issue: Issue, record: Fields): string => {
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
        ? `${field} is missing; give a ${expectations[issue.expected]}.`
        : `${field}: ${shown} is not a ${expectations[issue.expected]}.`
    case 'too_big':
      return `${field}: ${shown} is too large; use ${bound(issue, 'at most', 'less than')} ${issue.maximum}.`
    case 'too_small':
      return `${field}: ${shown} is too small; use ${bound(issue, 'at least', 'more than')} ${issue.minimum}.`
    case 'unrecognized_keys':
      return `${issue.keys.map((key) => [...issue.path, key].map(String).join('.')).join(', ')}: there is no such field. Use one of ${listed(fieldsOf(issue.path))}.`
  }
}

const isMissing = ({ path, code }: Issue, record: Fields): boolean =>
  code !== 'unrecognized_keys' && at(record, path) === undefined

/** If the base policy is unknown, missing fields are not reported, because most fields are then missing. */
const faultsIn = (issues: AnyIssue[], record: Fields, extendsUnknown: boolean): string[] =>
  (issues as Issue[])
    .filter((issue) => !(extendsUnknown && isMissing(issue, record)))
    .map((issue) => issueText(issue, record))
