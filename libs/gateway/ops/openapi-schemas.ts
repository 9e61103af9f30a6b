import * as contracts from '@plumbline/contracts'
import { z } from 'zod'

export type Json = Record<string, unknown>
type Io = 'input' | 'output'

const schemaRegistry = (): z.core.$ZodRegistry<{ id: string }> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(contracts))
    if (/^[A-Z]/.test(id) && schema instanceof z.ZodType) registry.add(schema, { id })
  return registry
}

const prefix = '#/components/schemas/'

const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((one) => renamed(one, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' && inner.startsWith(prefix)
        ? `${prefix}${rename(inner.slice(prefix.length))}`
        : renamed(inner, rename),
    ]),
  )
}
const referred = (value: unknown): string[] => {
  const names: string[] = []
  renamed(value, (name) => (names.push(name), name))
  return names
}

const differing = (inputs: Map<string, Json>, outputs: Map<string, Json>): Set<string> => {
  const shared = [...inputs].filter(([name]) => outputs.has(name))
  const found = new Set(
    shared.filter(([name, said]) => JSON.stringify(said) !== JSON.stringify(outputs.get(name))).map(([name]) => name),
  )
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const [name, said] of inputs) if (referred(said).some((inner) => found.has(inner))) found.add(name)
  }
  return new Set([...found].filter((name) => outputs.has(name)))
}

/** A schema with default values differs between input and output. The input form is then named `…Input`. */
export const schemaBook = () => {
  const registry = schemaRegistry()
  const held: Record<Io, Map<string, Json>> = { input: new Map(), output: new Map() }
  const schemaOf = (schema: z.ZodType, io: Io): Json => {
    const said = z.toJSONSchema(z.strictObject({ it: schema }), {
      io,
      metadata: registry,
      unrepresentable: 'any',
      // Unknown fields are allowed in responses, because a new field must not break existing clients.
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema instanceof z.ZodObject && !zodSchema.def.catchall) delete jsonSchema.additionalProperties
        delete jsonSchema.id
      },
    }) as unknown as { properties: { it: Json }; $defs?: Record<string, Json> }
    const inComponents = (part: Json): Json =>
      JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', `"${prefix}`)) as Json
    for (const [name, one] of Object.entries(said.$defs ?? {})) held[io].set(name, inComponents(one))
    return inComponents(said.properties.it)
  }
  return {
    schemaOf,
    finish: (paths: Json): { paths: Json; schemas: Json } => {
      const { input, output } = held
      const apart = differing(input, output)
      const asInput = (name: string): string => (apart.has(name) ? `${name}Input` : name)
      const inputs = [...input].map(([name, said]) => [asInput(name), renamed(said, asInput)] as const)
      const schemas = Object.fromEntries([...output, ...inputs].sort(([a], [b]) => (a < b ? -1 : 1)))
      const bodies = (value: unknown, isInput: boolean): unknown => {
        if (Array.isArray(value)) return value.map((one) => bodies(one, isInput))
        if (typeof value !== 'object' || value === null) return value
        if (isInput) return renamed(value, asInput)
        return Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [
            key,
            bodies(inner, key === 'requestBody' || key === 'parameters'),
          ]),
        )
      }
      return { paths: bodies(paths, false) as Json, schemas }
    },
  }
}
export type SchemaBook = ReturnType<typeof schemaBook>
