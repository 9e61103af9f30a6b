import type { ArgumentMetadata, PipeTransform } from '@nestjs/common'
import type { z } from 'zod'
import { Refusal } from './problem'

const shown = 20
type Issue = { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined }
const keyOf = (segment: PropertyKey | { key: PropertyKey }): string => String(typeof segment === 'object' ? segment.key : segment)

const wrong = (issues: readonly Issue[], where: string): Refusal => {
  const errors = issues.slice(0, shown).map(({ path, message }) => ({ field: path?.map(keyOf).join('.') || where, message }))
  return new Refusal('invalid-request', errors.map(({ field, message }) => `${field}: ${message}`).join('; '), { errors })
}
const noBody = (): Refusal =>
  new Refusal('invalid-request', 'Send a JSON body with Content-Type: application/json.', {
    errors: [{ field: 'body', message: 'is missing' }],
  })

/** Validates what came in against the zod schema its decorator names, and says which field is wrong and why. */
export class ValidPipe implements PipeTransform {
  async transform(value: unknown, { schema, type, data }: ArgumentMetadata): Promise<unknown> {
    if (!schema || type === 'custom') return value
    if (type === 'body' && value === undefined) throw noBody()
    const result = await schema['~standard'].validate(value)
    if (result.issues) throw wrong(result.issues, data ?? type)
    return result.value
  }
}

/** The same for a body that a handler reads itself. */
export const validate = <T>(schema: z.ZodType<T>, value: unknown): T => {
  if (value === undefined) throw noBody()
  const result = schema.safeParse(value)
  if (!result.success) throw wrong(result.error.issues, 'body')
  return result.data
}
