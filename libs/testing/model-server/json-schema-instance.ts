import { listOf, objectOf, stringOf } from './request'

type Schema = Record<string, unknown>

/** Values at a greater depth are null, so that the recursion ends. */
const deepest = 12
const formats: Record<string, string> = {
  date: '2024-01-01',
  'date-time': '2024-01-01T00:00:00Z',
  time: '00:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
}

const typeOf = (schema: Schema): string => {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (types.includes('null')) return 'null'
  return stringOf(types[0]) || ('properties' in schema ? 'object' : 'items' in schema ? 'array' : '')
}

const isNull = (schema: unknown): boolean => typeOf(objectOf(schema)) === 'null' || objectOf(schema).const === null

const numberIn = (schema: Schema): number => {
  const step = typeof schema.multipleOf === 'number' ? schema.multipleOf : schema.type === 'integer' ? 1 : 0
  const low =
    typeof schema.minimum === 'number'
      ? schema.minimum
      : typeof schema.exclusiveMinimum === 'number'
        ? schema.exclusiveMinimum + (step || 0.001)
        : undefined
  const high =
    typeof schema.maximum === 'number'
      ? schema.maximum
      : typeof schema.exclusiveMaximum === 'number'
        ? schema.exclusiveMaximum - (step || 0.001)
        : undefined
  if (low !== undefined && low > 0) return step ? Math.ceil(low / step) * step : low
  return high !== undefined && high < 0 ? (step ? Math.floor(high / step) * step : high) : 0
}

const resolve = (ref: string, root: unknown): unknown =>
  ref === '#'
    ? root
    : ref
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>(
          (at, key) => objectOf(at)[decodeURIComponent(key).replace(/~1/g, '/').replace(/~0/g, '~')],
          root,
        )

const combined = (schema: Schema): Schema => {
  const parts = listOf(schema.allOf).map(objectOf)
  const required = [schema, ...parts].flatMap((part) => listOf(part.required))
  const properties = Object.assign({}, ...[schema, ...parts].map((part) => objectOf(part.properties))) as Schema
  return { ...Object.assign({}, ...parts), ...schema, allOf: undefined, required, properties } as Schema
}

/** Returns the smallest valid value of a schema: null if allowed, empty lists, and no optional fields. */
export const instanceOf = (given: unknown, root: unknown = given, depth = 0): unknown => {
  const schema = objectOf(given)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum.includes(null) ? null : schema.enum[0]
  if (depth > deepest) return null
  if (typeof schema.$ref === 'string') return instanceOf(resolve(schema.$ref, root), root, depth + 1)
  if (Array.isArray(schema.allOf)) return instanceOf(combined(schema), root, depth + 1)
  const choices = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (choices.length > 0) return choices.some(isNull) ? null : instanceOf(choices[0], root, depth + 1)
  return valueOf(schema, root, depth)
}

const valueOf = (schema: Schema, root: unknown, depth: number): unknown => {
  switch (typeOf(schema)) {
    case 'string':
      return formats[stringOf(schema.format)] ?? 'x'.repeat(Number(schema.minLength ?? 0))
    case 'number':
    case 'integer':
      return numberIn(schema)
    case 'boolean':
      return false
    case 'array': {
      const first = listOf(schema.prefixItems).map((item) => instanceOf(item, root, depth + 1))
      const missing = Math.max(0, Number(schema.minItems ?? 0) - first.length)
      return [...first, ...Array.from({ length: missing }, () => instanceOf(schema.items, root, depth + 1))]
    }
    case 'object': {
      const properties = objectOf(schema.properties)
      return Object.fromEntries(
        listOf(schema.required).map((key) => [stringOf(key), instanceOf(properties[stringOf(key)], root, depth + 1)]),
      )
    }
    default:
      return null
  }
}

/** Makes a value fit a schema, as a server with strict output does: removes extra fields and fills in missing ones. */
export const fitted = (value: unknown, schema: unknown, root: unknown = schema): unknown => {
  const { type, properties, items, anyOf, enum: allowed } = objectOf(schema)
  if (value === undefined) return instanceOf(schema, root)
  if (Array.isArray(allowed)) return allowed.includes(value) ? value : instanceOf(schema, root)
  if (value === null) return value
  const [choice] = listOf(anyOf).filter((each) => objectOf(each).type !== 'null')
  if (choice !== undefined) return fitted(value, choice, root)
  if (type === 'array') return listOf(value).map((each) => fitted(each, items, root))
  if (type !== 'object') return value
  const given = objectOf(value)
  const fields = Object.entries(objectOf(properties))
  return Object.fromEntries(fields.map(([name, own]) => [name, fitted(given[name], own, root)]))
}
