import { listOf, objectOf } from '../model-server/asked'
import { instanceOf } from '../model-server/instance'

/**
 * A value with just the fields of its schema, as a server gives it that holds its model to one: a field too many is left out, one that is
 * missing has its smallest value.
 */
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
