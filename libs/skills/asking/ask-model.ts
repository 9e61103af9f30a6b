import { AppError } from '@plumbline/platform'
import { z } from 'zod'
import type { Asking } from './asking'
import { askFor, repairOf } from './asking'

/** `fault`: the value has the right form, and still what its skill asked for is missing, also after the repair. */
export type Asked<T> = { kind: 'answered'; value: T; fault: string | null } | { kind: 'refused'; reason: string }

type Structured<In, T> = Asking<In> & {
  schema: z.ZodType<T>
  /** What else is wrong with a value of the right form; null: nothing. */
  faultIn?: (value: T) => string | null
}

const ranges = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const

/** The subset every server knows: ranges are left to zod, all keys are required, none other is allowed. */
const outputSchema = (schema: z.ZodType): Record<string, unknown> => {
  const json: Record<string, unknown> = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      for (const range of ranges) delete jsonSchema[range]
    },
  })
  delete json.$schema
  return json
}

/** Models without structured output like to wrap their JSON for people to read. */
const bare = (text: string): string => /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text

type Read<T> = { value: T; fault: string | null } | { value?: undefined; fault: string }

const read = <T>(text: string, { schema, faultIn }: Pick<Structured<never, T>, 'schema' | 'faultIn'>): Read<T> => {
  let json: unknown
  try {
    json = JSON.parse(bare(text))
  } catch {
    return {
      fault: text.trim() === '' ? 'It is empty.' : 'It is not JSON: one JSON object is wanted, and nothing around it.',
    }
  }
  const parsed = schema.safeParse(json)
  return parsed.success
    ? { value: parsed.data, fault: faultIn?.(parsed.data) ?? null }
    : { fault: `It does not follow the schema.\n${z.prettifyError(parsed.error)}` }
}

/**
 * A model's answer as a value. What cannot be used is shown to the model once, with its fault. If the form is still wrong, that
 * is a failure with a type and never an empty value: the task is abandoned, and its run parks or ends with that reason.
 */
export const askModel = async <In, T>(asking: Structured<In, T>): Promise<Asked<T>> => {
  const ask = askFor(asking)
  const output = { name: asking.prompt.name, schema: outputSchema(asking.schema) }
  const first = await ask({ output })
  if (first.kind === 'refused') return first
  const found = read(first.text, asking)
  if (found.value !== undefined && found.fault === null) return { kind: 'answered', value: found.value, fault: null }
  const second = await ask({ output, repair: repairOf(first.text, found.fault ?? '') })
  if (second.kind === 'refused') return second
  const repaired = read(second.text, asking)
  const usable = repaired.value === undefined ? found : repaired
  if (usable.value !== undefined) return { kind: 'answered', value: usable.value, fault: usable.fault }
  throw new AppError('model.malformed', 'never', { cause: new Error(`${asking.prompt.name}: ${repaired.fault}`) })
}
