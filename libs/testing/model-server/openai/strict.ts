import { listOf, objectOf, stringOf } from '../asked'

type Schema = Record<string, unknown>

const notPermitted = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'minContains',
  'maxContains',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'default',
]
const formats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])
const deepest = 10

const isObjectSchema = (schema: Schema): boolean =>
  schema.type === 'object' || listOf(schema.type).includes('object') || 'properties' in schema

const objectFaults = (schema: Schema, context: string): string[] => {
  if (!isObjectSchema(schema)) return []
  const required = listOf(schema.required)
  const missing = Object.keys(objectOf(schema.properties)).filter((key) => !required.includes(key))
  return [
    ...(schema.additionalProperties === false
      ? []
      : [`${context} 'additionalProperties' is required to be supplied and to be false.`]),
    ...missing.map(
      (key) =>
        `${context} 'required' is required to be supplied and to be an array including every key in properties. Missing '${key}'.`,
    ),
  ]
}

const within = (schema: Schema, path: string[]): [unknown, string[]][] => [
  ...['properties', '$defs', 'definitions'].flatMap((group) =>
    Object.entries(objectOf(schema[group])).map(([key, inner]): [unknown, string[]] => [inner, [...path, group, key]]),
  ),
  ...listOf(schema.anyOf).map((inner, at): [unknown, string[]] => [inner, [...path, 'anyOf', `${at}`]]),
  ...('items' in schema ? [[schema.items, [...path, 'items']] as [unknown, string[]]] : []),
]

const faultsIn = (given: unknown, path: string[]): string[] => {
  const schema = objectOf(given)
  const context = `In context=(${path.map((part) => `'${part}'`).join(', ')}),`
  const format = stringOf(schema.format)
  return [
    ...notPermitted.filter((key) => key in schema).map((key) => `${context} '${key}' is not permitted.`),
    ...(format && !formats.has(format) ? [`${context} '${format}' is not a valid format.`] : []),
    ...objectFaults(schema, context),
    ...(schema.type === 'array' && !('items' in schema) ? [`${context} array schema missing items.`] : []),
    ...(path.filter((part) => part === 'properties').length > deepest
      ? [`${context} the schema is nested too deeply.`]
      : []),
    ...within(schema, path).flatMap(([inner, at]) => faultsIn(inner, at)),
  ]
}

/** Strict structured output takes only a part of JSON Schema, which the OpenAPI document says nothing of. */
export const strictFaults = (schema: unknown): string[] => {
  const root = objectOf(schema)
  const rootFault =
    root.type === 'object' && !('anyOf' in root)
      ? []
      : [`In context=(), schema must be a JSON Schema of 'type: "object"'.`]
  return [...rootFault, ...faultsIn(root, [])]
}
