import type { ArgumentMetadata, PipeTransform } from '@nestjs/common'
import { z } from 'zod'
import { bounds } from '../settings'
import { parseJson } from './body'
import { Refusal } from './problem'

type Raw = z.core.$ZodRawIssue

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object whose values are strings',
}
const kindOf = (expected: string): string => kinds[expected] ?? expected

const ofType = ({ expected, input }: { expected: string; input?: unknown }): string =>
  `${input === undefined ? 'is missing: ' : ''}send ${kindOf(expected)}`
const ofSize = (origin: string, size: number | bigint, than: 'more' | 'less'): string => {
  const bound = than === 'more' ? 'at least' : 'at most'
  if (origin === 'string') return `send ${bound} ${size} ${size === 1 ? 'character' : 'characters'}`
  if (origin === 'array') return `send ${bound} ${size} ${size === 1 ? 'entry' : 'entries'}`
  return `send ${size} or ${than}`
}
const oneOf = (words: readonly unknown[]): string => `send one of ${words.map(String).join(', ')}`
const unknownField = ({ inst }: Raw): string =>
  `there is no such field: remove it, or use one of ${inst instanceof z.ZodObject ? Object.keys(inst.shape).join(', ') : 'the fields listed at /docs'}`

const messageFor = (issue: Raw): string | undefined => {
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

const maxErrors = 20

const faultsOf = (issue: z.core.$ZodIssue, where: string): { field: string; message: string }[] => {
  const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
  return names.map((name) => ({
    field: [...issue.path, ...(name === undefined ? [] : [name])].join('.') || where,
    message: issue.message,
  }))
}
const wrong = (issues: z.core.$ZodIssue[], where: string): Refusal => {
  const errors = issues.flatMap((issue) => faultsOf(issue, where)).slice(0, maxErrors)
  return new Refusal('invalid-request', errors.map(({ field, message }) => `${field}: ${message}`).join('; '), {
    errors,
  })
}
const noBody = (): Refusal =>
  new Refusal('invalid-request', 'Send a JSON body with Content-Type: application/json.', {
    errors: [{ field: 'body', message: 'is missing' }],
  })

export const validate = <T>(schema: z.ZodType<T>, value: unknown, where = 'body'): T => {
  if (where === 'body' && value === undefined) throw noBody()
  const result = schema.safeParse(value, { error: messageFor })
  if (!result.success) throw wrong(result.error.issues, where)
  return result.data
}

export class ValidPipe implements PipeTransform {
  transform(value: unknown, { schema, type, data }: ArgumentMetadata): unknown {
    return schema instanceof z.ZodType && type !== 'custom' ? validate(schema, value, data ?? type) : value
  }
}

export const jsonOf = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .max(4_000, 'use at most 4,000 characters')
    .transform((text, context): unknown => {
      try {
        return parseJson(text)
      } catch {
        context.addIssue({ code: 'custom', message: 'send JSON such as {"name":"word"}' })
        return z.NEVER
      }
    })
    .pipe(schema)

const wrongCursor = 'send the cursor from a list response, or omit it'
/** Invalid cursors are refused, because ignoring them would return the first page again. */
const isPlace = (text: string): boolean => /^-?\d{1,16}:[\w. -]+$/.test(Buffer.from(text, 'base64url').toString())
export const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,256}$/, wrongCursor)
  .refine(isPlace, wrongCursor)
  .optional()
const { limit, most } = bounds.page
const wrongLimit = `send a whole number from 1 to ${most}`
export const limitOfPage = z.coerce
  .number(wrongLimit)
  .int(wrongLimit)
  .min(1, wrongLimit)
  .max(most, wrongLimit)
  .default(limit)
