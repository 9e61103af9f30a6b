import { expect, it } from 'vitest'
import { z } from 'zod'
import { strictFaults } from './faults'

const object = (properties: Record<string, unknown>, more: object = {}): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})

it('takes what zod writes for required and nullable fields', () => {
  const Graded = z.object({
    grades: z.array(z.object({ index: z.int().min(0), reason: z.string().nullable(), level: z.enum(['high', 'low']) })),
  })
  expect(strictFaults(z.toJSONSchema(Graded))).toEqual([])
})

it.each<[string, unknown, RegExp]>([
  ['an optional field', z.toJSONSchema(z.object({ a: z.string().optional() })), /Missing 'a'/],
  [
    'an open object',
    object({ a: { type: 'object', properties: {}, required: [] } }),
    /\('properties', 'a'\), 'additionalProperties' is required/,
  ],
  ['a record', z.toJSONSchema(z.object({ a: z.record(z.string(), z.string()) })), /'propertyNames' is not permitted/],
  ['a default', z.toJSONSchema(z.object({ a: z.string().default('b') })), /'default' is not permitted/],
  ['parts taken together', object({ a: { allOf: [{ type: 'string' }] } }), /'allOf' is not permitted/],
  ['a format it does not know', object({ a: { type: 'string', format: 'uri' } }), /'uri' is not a valid format/],
  ['a list of anything', object({ a: { type: 'array' } }), /array schema missing items/],
  ['a union at the root', { anyOf: [object({}), object({})] }, /schema must be a JSON Schema of 'type: "object"'/],
  ['a list at the root', { type: 'array', items: { type: 'string' } }, /'type: "object"'/],
  [
    'an optional field inside a list inside a definition',
    object(
      { a: { $ref: '#/$defs/b' } },
      { $defs: { b: { type: 'array', items: object({ c: { type: 'string' } }, { required: [] }) } } },
    ),
    /'\$defs', 'b', 'items'\), .*Missing 'c'/,
  ],
])('refuses %s', (_, schema, fault) => {
  expect(strictFaults(schema).join('\n')).toMatch(fault)
})
