import { existsSync, readFileSync } from 'node:fs'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020'
import { listOf, objectOf, stringOf } from '../asked'

type Schema = Record<string, unknown>

export const usualDocument = '../shared/data/openapi/openai-chat-embeddings-models-responses.openapi.json'
const id = 'openai'
const told = 6

/** `nullable` is of an older OpenAPI, and counts for nothing beside `$ref` or `enum` unless it is spelled out. */
const modern = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(modern)
  if (typeof value !== 'object' || value === null) return value
  const { nullable, discriminator: _discriminator, ...rest } = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, modern(inner)])) as Schema
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : nullable === undefined ? rest : { ...rest, nullable }
}

/** The name of the schema that an error stands in, when ajv gives it by reference. */
const place = ({ schemaPath }: ErrorObject): string => schemaPath.split('/').slice(0, 4).join('/')

/** Of the branches of a union only those count whose role or type was meant; the union itself says nothing more. */
const telling = (errors: ErrorObject[]): ErrorObject[] => {
  const others = new Set(errors.filter(({ keyword, instancePath }) => keyword === 'enum' && /\/(role|type)$/.test(instancePath)).map(place))
  const meant = errors.filter((error) => !others.has(place(error)))
  const details = meant.filter(({ keyword }) => keyword !== 'oneOf' && keyword !== 'anyOf')
  return details.length > 0 ? details : meant.length > 0 ? meant : errors
}

const sentence = ({ instancePath, message, params }: ErrorObject): string => {
  const more = 'allowedValues' in params ? ` (${listOf(params.allowedValues).join(', ')})` : 'additionalProperty' in params ? ` (${params.additionalProperty})` : ''
  return `${instancePath || '/'}: ${message}${more}`
}

export type OpenaiDocument = {
  /** What is wrong with a value that should follow the schema of this name. */
  faultsOf(schema: string, value: unknown): string[]
  /** The fields a schema knows, its parts included. */
  fieldsOf(schema: string): Set<string>
}

const fieldsIn = (schemas: Schema, given: unknown): string[] => {
  const schema = objectOf(given)
  const named = stringOf(schema.$ref).replace('#/components/schemas/', '')
  return [
    ...Object.keys(objectOf(schema.properties)),
    ...(named ? fieldsIn(schemas, schemas[named]) : []),
    ...listOf(schema.allOf).flatMap((part) => fieldsIn(schemas, part)),
  ]
}

const load = async (file: string): Promise<OpenaiDocument> => {
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020'), import('ajv-formats')])
  const { components } = modern(JSON.parse(readFileSync(file, 'utf8'))) as { components: { schemas: Schema } }
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { unixtime: true } })
  formats.default.default(ajv)
  ajv.addSchema({ $id: id, components }, id)
  const compiled = new Map<string, ValidateFunction>()
  const validatorOf = (schema: string): ValidateFunction => {
    const held = compiled.get(schema) ?? ajv.compile({ $ref: `${id}#/components/schemas/${schema}` })
    compiled.set(schema, held)
    return held
  }
  return {
    faultsOf: (schema, value) => {
      const validate = validatorOf(schema)
      return validate(value) ? [] : [...new Set(telling(validate.errors ?? []).map(sentence))].slice(0, told)
    },
    fieldsOf: (schema) => new Set(fieldsIn(components.schemas, components.schemas[schema])),
  }
}

const loaded = new Map<string, Promise<OpenaiDocument>>()

/** Read and compiled once per process; nothing where the document is absent. */
export const openaiDocument = (file = usualDocument): Promise<OpenaiDocument> | undefined => {
  if (!existsSync(file)) return undefined
  const held = loaded.get(file) ?? load(file)
  loaded.set(file, held)
  return held
}
