import type { ArgumentMetadata, PipeTransform } from '@nestjs/common'
import { z } from 'zod'
import { Refusal } from './problem'
import { inWords } from './words'

const shown = 20

/** A field that there is not is told under its own name. */
const faultsOf = (issue: z.core.$ZodIssue, where: string): { field: string; message: string }[] => {
  const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
  return names.map((name) => ({
    field: [...issue.path, ...(name === undefined ? [] : [name])].join('.') || where,
    message: issue.message,
  }))
}
const wrong = (issues: z.core.$ZodIssue[], where: string): Refusal => {
  const errors = issues.flatMap((issue) => faultsOf(issue, where)).slice(0, shown)
  return new Refusal('invalid-request', errors.map(({ field, message }) => `${field}: ${message}`).join('; '), {
    errors,
  })
}
const noBody = (): Refusal =>
  new Refusal('invalid-request', 'Send a JSON body with Content-Type: application/json.', {
    errors: [{ field: 'body', message: 'is missing' }],
  })

/** What came in as its schema has it, or a refusal that says which field is wrong and what to send. */
export const validate = <T>(schema: z.ZodType<T>, value: unknown, where = 'body'): T => {
  if (where === 'body' && value === undefined) throw noBody()
  const result = schema.safeParse(value, { error: inWords })
  if (!result.success) throw wrong(result.error.issues, where)
  return result.data
}

/** Validates every argument whose decorator names a schema. */
export class ValidPipe implements PipeTransform {
  transform(value: unknown, { schema, type, data }: ArgumentMetadata): unknown {
    return schema instanceof z.ZodType && type !== 'custom' ? validate(schema, value, data ?? type) : value
  }
}
