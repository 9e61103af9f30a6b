import { existsSync, readFileSync } from 'node:fs'
import type { ErrorObject } from 'ajv/dist/2020'
import { listOf, objectOf, stringOf } from '../asked'
import { modern } from './modern'

type Schema = Record<string, unknown>

export const usualDocument = '../shared/data/openapi/openai-chat-embeddings-models-responses.openapi.json'
const id = 'openai'
const told = 6
const requests = ['CreateChatCompletionRequest', 'CreateEmbeddingRequest']

const summaries = new Set(['oneOf', 'anyOf', 'if'])

/** A union says nothing that its branches do not, nor that null would have done too. */
const telling = (errors: ErrorObject[]): ErrorObject[] => {
  const details = errors.filter(
    ({ keyword, params }) => !summaries.has(keyword) && !(keyword === 'type' && params.type === 'null'),
  )
  return details.length > 0 ? details : errors
}

const sentence = ({ instancePath, message, params }: ErrorObject): string => {
  const more =
    'allowedValues' in params
      ? ` (${listOf(params.allowedValues).join(', ')})`
      : 'additionalProperty' in params
        ? ` (${params.additionalProperty})`
        : ''
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

const once = <T>(make: (schema: string) => T): ((schema: string) => T) => {
  const made = new Map<string, T>()
  return (schema) => {
    const held = made.get(schema) ?? make(schema)
    made.set(schema, held)
    return held
  }
}

const load = async (file: string): Promise<OpenaiDocument> => {
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')])
  const { components } = JSON.parse(readFileSync(file, 'utf8')) as { components: { schemas: Schema } }
  const schemas = modern(components.schemas)
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { unixtime: true } })
  formats.default.default(ajv)
  ajv.addSchema({ $id: id, components: { schemas } }, id)
  const validatorOf = once((schema) => ajv.compile({ $ref: `${id}#/components/schemas/${schema}` }))
  const fieldsOf = once((schema) => new Set(fieldsIn(schemas, schemas[schema])))
  // Compiled now, since the first request must not wait for it longer than the others.
  requests.forEach(validatorOf)
  return {
    faultsOf: (schema, value) => {
      const validate = validatorOf(schema)
      return validate(value) ? [] : [...new Set(telling(validate.errors ?? []).map(sentence))].slice(0, told)
    },
    fieldsOf,
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
