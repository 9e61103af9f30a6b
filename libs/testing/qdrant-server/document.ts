import type { ValidateFunction } from 'ajv/dist/2020.js'
import { listOf, objectOf, stringOf } from '../model-server/request'
import { faultsIn, openapiDocument } from '../openapi-document'

type Json = Record<string, unknown>

const id = 'qdrant'
const notes = new Set(['description', 'default', 'example', 'deprecated'])

const isOnly = (schema: Json, key: string): boolean =>
  Object.keys(schema).every((name) => name === key || notes.has(name))
const isUnion = (schema: Json): boolean => ['anyOf', 'oneOf', 'allOf'].some((name) => name in schema)

/** Makes a schema reject unknown fields. Qdrant's API description allows them. */
const closed = (schema: Json): Json =>
  typeof schema.properties === 'object' && !('additionalProperties' in schema) && !isUnion(schema)
    ? { ...schema, additionalProperties: false }
    : schema

const untied = (schema: Json): Json => {
  if (schema.nullable !== true) return schema
  if (isOnly(schema, 'nullable')) return { type: 'null' }
  return { anyOf: [Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'nullable')), { type: 'null' }] }
}

const modern = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(modern)
  if (typeof value !== 'object' || value === null) return value
  return untied(
    closed(
      Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === 'example' ? inner : modern(inner)])),
    ),
  )
}

const whole = (most: number) => ({
  type: 'number' as const,
  validate: (value: number) => Number.isInteger(value) && value >= 0 && value <= most,
})
const formats = {
  uint: whole(Number.MAX_SAFE_INTEGER),
  uint64: whole(Number.MAX_SAFE_INTEGER),
  uint32: whole(2 ** 32 - 1),
  uint8: whole(255),
  int64: true,
  float: true,
  double: true,
} as const

export type Sent = { method: string; path: string; query: Record<string, string>; body: unknown }

export type QdrantDocument = {
  ofRequest(sent: Sent): string[]
  ofAnswer(sent: Sent, status: number, body: unknown): string[]
}

type Operation = { pointer: string; operation: Json }

const operationsOf = (paths: Json): { pattern: RegExp; method: string; found: Operation }[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, operation]) => ({
      pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
      method: method.toUpperCase(),
      found: {
        pointer: `paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
        operation: objectOf(operation),
      },
    })),
  )

const valueOf = (schema: Json, text: string): unknown =>
  schema.type === 'boolean'
    ? text === 'true'
      ? true
      : text === 'false'
        ? false
        : text
    : schema.type === 'integer' || schema.anyOf !== undefined
      ? /^\d+$/.test(text)
        ? Number(text)
        : text
      : text

const load = async (): Promise<QdrantDocument | undefined> => {
  const document = openapiDocument('qdrant.openapi.json')
  if (!document) return undefined
  const [{ Ajv2020 }, common] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')])
  const { paths, components } = modern(document) as { paths: Json; components: Json }
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats })
  common.default.default(ajv, ['uuid', 'date-time'])
  ajv.addSchema({ $id: id, paths, components, definitions: {} }, id)
  const operations = operationsOf(paths)
  const compiled = new Map<string, ValidateFunction>()
  const faults = (pointer: string, value: unknown, where: string): string[] => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${id}#/${encodeURI(pointer)}` })
    compiled.set(pointer, validate)
    return validate(value) ? [] : faultsIn(validate.errors ?? []).map((fault) => `${where} ${fault}`)
  }
  const find = ({ method, path }: Sent): Operation | undefined =>
    operations.find((one) => one.method === method && one.pattern.test(path))?.found
  const queryFaults = ({ pointer, operation }: Operation, query: Sent['query']): string[] => {
    const known = listOf(operation.parameters).map(objectOf)
    return Object.entries(query).flatMap(([name, text]) => {
      const at = known.findIndex((parameter) => parameter.in === 'query' && parameter.name === name)
      if (at < 0) return [`query: unknown parameter ${name}`]
      return faults(`${pointer}/parameters/${at}/schema`, valueOf(objectOf(known[at]?.schema), text), `query ${name}`)
    })
  }
  const bodyFaults = ({ pointer, operation }: Operation, body: unknown): string[] => {
    if (operation.requestBody === undefined) return body === undefined ? [] : ['body: none is expected']
    return body === undefined
      ? ['body: it is missing']
      : faults(`${pointer}/requestBody/content/application~1json/schema`, body, 'body')
  }
  return {
    ofRequest: (sent) => {
      const found = find(sent)
      return found
        ? [...queryFaults(found, sent.query), ...bodyFaults(found, sent.body)]
        : [`path: ${sent.method} ${sent.path} is not in the document`]
    },
    ofAnswer: (sent, status, body) => {
      const found = find(sent)
      if (!found) return []
      const answers = objectOf(found.operation.responses)
      const named = [`${status}`, `${`${status}`[0]}XX`, 'default'].find((name) => name in answers)
      return named === undefined
        ? [`answer: ${status} is not in the document`]
        : faults(`${found.pointer}/responses/${stringOf(named)}/content/application~1json/schema`, body, 'answer')
    },
  }
}

let loaded: Promise<QdrantDocument | undefined> | undefined
export const qdrantDocument = (): Promise<QdrantDocument | undefined> => (loaded ??= load())
