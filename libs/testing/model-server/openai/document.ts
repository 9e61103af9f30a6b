import { listOf, objectOf, stringOf } from '../request'
import { faultsIn, openapiDocument } from '../../openapi-document'

type Schema = Record<string, unknown>

const tags = ['role', 'type']
const refersTo = /^#\/components\/schemas\//

const target = (schemas: Schema, given: unknown): Schema => {
  const { $ref: ref } = objectOf(given)
  return typeof ref === 'string' ? objectOf(schemas[ref.replace(refersTo, '')]) : objectOf(given)
}

const tagOf = (schemas: Schema, branch: unknown, tag: string): string[] =>
  listOf(objectOf(objectOf(target(schemas, branch).properties)[tag]).enum).map(stringOf)

const without = (schema: Schema, key: string): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key))

const untied = (schema: Schema): Schema =>
  schema.nullable === true ? { anyOf: [without(schema, 'nullable'), { type: 'null' }] } : schema

/** Replaces a union by conditions on its tag field, so that faults refer only to the branch that the tag names. */
const tagged = (schemas: Schema, schema: Schema): Schema => {
  const branches = listOf(schema.oneOf)
  const tag = tags.find(
    (name) => branches.length > 1 && branches.every((branch) => tagOf(schemas, branch, name).length > 0),
  )
  if (tag === undefined) return schema
  const known = branches.flatMap((branch) => tagOf(schemas, branch, tag))
  const choices = branches.map((branch) => ({
    if: { required: [tag], properties: { [tag]: { enum: tagOf(schemas, branch, tag) } } },
    then: branch,
  }))
  return {
    ...without(schema, 'oneOf'),
    type: 'object',
    required: [tag],
    properties: { [tag]: { enum: known } },
    allOf: choices,
  }
}

const walk = (schemas: Schema, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((inner) => walk(schemas, inner))
  if (typeof value !== 'object' || value === null) return value
  return untied(
    tagged(schemas, Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(schemas, inner)]))),
  )
}

/** Replaces the keyword `nullable` beside `$ref` and `enum`, because validators of JSON Schema ignore it. */
const modern = (schemas: Schema): Schema => objectOf(walk(schemas, schemas))

const id = 'openai'
const requests = ['CreateChatCompletionRequest', 'CreateEmbeddingRequest']

export type OpenaiDocument = {
  faultsOf(schema: string, value: unknown): string[]
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

const load = async (): Promise<OpenaiDocument | undefined> => {
  const document = openapiDocument('openai-chat-embeddings-models-responses.openapi.json')
  if (!document) return undefined
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')])
  const schemas = modern((document as { components: { schemas: Schema } }).components.schemas)
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { unixtime: true } })
  formats.default.default(ajv)
  ajv.addSchema({ $id: id, components: { schemas } }, id)
  const validatorOf = once((schema) => ajv.compile({ $ref: `${id}#/components/schemas/${schema}` }))
  const fieldsOf = once((schema) => new Set(fieldsIn(schemas, schemas[schema])))
  // Compile the validators now, so that the first request is as fast as later ones.
  requests.forEach(validatorOf)
  return {
    faultsOf: (schema, value) => {
      const validate = validatorOf(schema)
      return validate(value) ? [] : faultsIn(validate.errors ?? [])
    },
    fieldsOf,
  }
}

let loaded: Promise<OpenaiDocument | undefined> | undefined
export const openaiDocument = (): Promise<OpenaiDocument | undefined> => (loaded ??= load())
