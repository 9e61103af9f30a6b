import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { instanceOf } from './json-schema-instance'

const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree)
  },
})

const shapes: [string, z.ZodType, unknown][] = [
  ['text, with the length it needs', z.object({ text: z.string().min(3), any: z.string() }), { text: 'xxx', any: '' }],
  [
    'numbers inside their bounds',
    z.object({ a: z.number(), b: z.int().min(2), c: z.number().max(-1), d: z.int().positive() }),
    { a: 0, b: 2, c: -1, d: 1 },
  ],
  ['null where that may be', z.object({ a: z.string().nullable(), b: z.object({}).nullable() }), { a: null, b: null }],
  ['the first of an enum, and a literal', z.object({ a: z.enum(['x', 'y']), b: z.literal('z') }), { a: 'x', b: 'z' }],
  ['no optional fields', z.object({ a: z.string().optional(), b: z.boolean() }), { b: false }],
  [
    'lists as short as may be',
    z.object({ a: z.array(z.string()), b: z.array(z.int()).min(2), c: z.tuple([z.string(), z.boolean()]) }),
    { a: [], b: [0, 0], c: ['', false] },
  ],
  [
    'the first of a union',
    z.object({
      a: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('p'), n: z.int() }),
        z.object({ kind: z.literal('q') }),
      ]),
    }),
    { a: { kind: 'p', n: 0 } },
  ],
  ['what refers to itself', Tree, { name: '', children: [] }],
  ['parts taken together', z.intersection(z.object({ a: z.string() }), z.object({ b: z.int() })), { a: '', b: 0 }],
  ['dates', z.object({ day: z.iso.date(), at: z.iso.datetime() }), { day: '2024-01-01', at: '2024-01-01T00:00:00Z' }],
]

it.each(shapes)('makes %s', (_, shape, expected) => {
  const schema = z.toJSONSchema(shape)
  const made = instanceOf(schema)
  expect(made).toEqual(expected)
  expect(new Ajv2020({ strict: false, validateFormats: false }).validate(schema, made)).toBe(true)
  expect(instanceOf(schema)).toEqual(made)
})

it('ends where a schema does not', () => {
  const endless = {
    $ref: '#/$defs/a',
    $defs: { a: { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, required: ['a'] } },
  }
  expect(JSON.stringify(instanceOf(endless))).toContain('null')
})
