import { listOf, objectOf, stringOf, type ModelRequest } from '../request'
import type { OpenaiDocument } from './document'

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

/**
 * Returns the faults of a schema for strict output. Strict output allows only a part of JSON Schema, which the OpenAPI
 * document does not describe.
 */
export const strictFaults = (schema: unknown): string[] => {
  const root = objectOf(schema)
  const rootFault =
    root.type === 'object' && !('anyOf' in root)
      ? []
      : [`In context=(), schema must be a JSON Schema of 'type: "object"'.`]
  return [...rootFault, ...faultsIn(root, [])]
}

const schemas = { chat: 'CreateChatCompletionRequest', embeddings: 'CreateEmbeddingRequest' } as const
const nameOk = /^[\w-]{1,64}$/

const named = (what: string, name: unknown): string[] =>
  nameOk.test(stringOf(name)) ? [] : [`${what}: the name does not match ^[a-zA-Z0-9_-]{1,64}$`]

const formatFaults = (body: Record<string, unknown>, text: string): string[] => {
  const format = objectOf(body.response_format)
  const described = objectOf(format.json_schema)
  if (format.type === 'json_object' && !/json/i.test(text))
    return ["/messages: must contain the word 'json' in some form, to use 'response_format' of type 'json_object'"]
  if (format.type !== 'json_schema') return []
  const wrong = described.strict === true ? strictFaults(described.schema) : []
  return [
    ...named('/response_format', described.name),
    ...wrong.map(
      (fault) => `/response_format: Invalid schema for response_format '${stringOf(described.name)}': ${fault}`,
    ),
  ]
}

const toolFaults = (body: Record<string, unknown>): string[] => {
  const tools = listOf(body.tools).map((tool) => objectOf(objectOf(tool).function))
  const wanted = objectOf(objectOf(body.tool_choice).function).name
  return [
    ...(body.tool_choice !== undefined && tools.length === 0
      ? ["/tool_choice: is only allowed when 'tools' are specified"]
      : []),
    ...(wanted !== undefined && !tools.some(({ name }) => name === wanted)
      ? [`/tool_choice: no tool is named '${stringOf(wanted)}'`]
      : []),
    ...tools.flatMap(({ name }) => named('/tools', name)),
    ...tools.flatMap(({ name, strict, parameters }) =>
      strict === true
        ? strictFaults(parameters).map((fault) => `/tools: Invalid schema for function '${stringOf(name)}': ${fault}`)
        : [],
    ),
  ]
}

/** Returns the faults of a request that OpenAI's service rejects although its OpenAPI document allows them. */
const chatFaults = (asked: ModelRequest): string[] => {
  const body = objectOf(asked.body)
  const idle = body.stream_options !== undefined && body.stream_options !== null && body.stream !== true
  return [
    ...formatFaults(body, asked.text),
    ...toolFaults(body),
    ...(idle ? ["/stream_options: is only allowed when 'stream' is enabled"] : []),
  ]
}

const embeddingFaults = (asked: ModelRequest): string[] => {
  const { input } = objectOf(asked.body)
  return input === '' || listOf(input).includes('') ? ['/input: cannot be an empty string'] : []
}

export const openaiFaults = (asked: ModelRequest, document: OpenaiDocument): string[] => {
  if (asked.kind !== 'chat' && asked.kind !== 'embeddings') return []
  const known = document.fieldsOf(schemas[asked.kind])
  const unknown = Object.keys(objectOf(asked.body)).filter((field) => !known.has(field))
  return [
    ...document.faultsOf(schemas[asked.kind], asked.body),
    ...(asked.kind === 'chat' ? unknown.map((field) => `/: Unrecognized request argument supplied: ${field}`) : []),
    ...(asked.kind === 'chat' ? chatFaults(asked) : embeddingFaults(asked)),
  ]
}
