import { listOf, objectOf, stringOf } from '../asked'

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

/** One branch per tag: a value is then held to the branch it means, and its faults are those of that branch only. */
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

/** The schemas of a document as JSON Schema 2020: `nullable` counts for nothing beside `$ref` or `enum` unless it is spelled out. */
export const modern = (schemas: Schema): Schema => objectOf(walk(schemas, schemas))
