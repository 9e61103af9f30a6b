import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { camelCased, docOf, fieldsOf, setting } from './setting'

const text = z.string().default('')
const GREETING = setting(text, { about: 'how a tenant is greeted', example: 'Hello' })
const Env = z.object({ GREETING, MAX_QUEUE_SECONDS: z.coerce.number().optional() })

describe('a setting', () => {
  it('keeps its schema, and gives its documentation to this variable only', () => {
    expect(Env.parse({})).toEqual({ GREETING: '' })
    expect(docOf(GREETING)).toEqual({ about: 'how a tenant is greeted', example: 'Hello' })
    expect(docOf(text)).toBeUndefined()
    expect(docOf(setting(text, { about: 'another' }))).toEqual({ about: 'another' })
  })

  it('is found in schemas with transforms, refinements, intersections and alternatives', () => {
    const either = z.discriminatedUnion('A', [
      z.object({ A: z.literal('1'), B: text }),
      z.object({ A: z.literal('2'), C: text }),
    ])
    const whole = z.preprocess((given) => given, Env.transform((env) => env).and(either))
    expect(new Set(fieldsOf(whole.refine(() => true)).map(([name]) => name))).toEqual(
      new Set(['GREETING', 'MAX_QUEUE_SECONDS', 'A', 'B', 'C']),
    )
    expect(new Map(fieldsOf(whole)).get('GREETING')).toBe(GREETING)
  })

  it('has a name in camel case in code, also in its type', () => {
    const read = camelCased(Env.parse({ GREETING: 'Hi', MAX_QUEUE_SECONDS: '3' }))
    expect(read).toEqual({ greeting: 'Hi', maxQueueSeconds: 3 })
    expectTypeOf(read).toEqualTypeOf<{ greeting: string; maxQueueSeconds?: number | undefined }>()
  })
})
