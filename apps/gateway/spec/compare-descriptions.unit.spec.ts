import { describe, expect, it } from 'vitest'
import { breakingChanges } from './compare-descriptions'

const body = (schema: object) => ({ requestBody: { required: true, content: { 'application/json': { schema } } } })
const answer = (schema: object, status = 200) => ({
  responses: { [status]: { description: 'Done', content: { 'application/json': { schema } } } },
})
const thing = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })
const text = { type: 'string' }
const at = (operation: object, schemas: object = {}) => ({
  paths: { '/v1/things': { post: operation as Record<string, unknown> } },
  components: { schemas: schemas as Record<string, Record<string, unknown>> },
})
const between = (before: object, after: object): string[] => breakingChanges(at(before), at(after))

describe('what breaks callers', () => {
  it.each<[string, object, object, string[]]>([
    [
      'a field of an answer that is gone',
      answer(thing({ a: text, b: text })),
      answer(thing({ a: text })),
      ['POST /v1/things → 200 application/json.b: is gone'],
    ],
    ['a new field of an answer', answer(thing({ a: text })), answer(thing({ a: text, b: text })), []],
    [
      'a field of an answer that may be missing',
      answer(thing({ a: text }, ['a'])),
      answer(thing({ a: text })),
      ['POST /v1/things → 200 application/json.a: may now be missing'],
    ],
    [
      'a new field of a request that has to be sent',
      body(thing({})),
      body(thing({ a: text }, ['a'])),
      ['POST /v1/things application/json.a: is now required'],
    ],
    ['a new field of a request that may be sent', body(thing({})), body(thing({ a: text })), []],
    [
      'a field of a request that is no longer accepted',
      body(thing({ a: text })),
      body(thing({})),
      ['POST /v1/things application/json.a: is no longer accepted'],
    ],
    [
      'a word of a request that is gone',
      body({ enum: ['a', 'b'] }),
      body({ enum: ['a'] }),
      ['POST /v1/things application/json: no longer accepts b'],
    ],
    ['a new word of a request', body({ enum: ['a'] }), body({ enum: ['a', 'b'] }), []],
    [
      'words where there was any text',
      body({ type: 'string' }),
      body({ type: 'string', enum: ['a'] }),
      ['POST /v1/things application/json: now accepts only a'],
    ],
    [
      'a new word of an answer',
      answer({ enum: ['a'] }),
      answer({ enum: ['a', 'b'] }),
      ['POST /v1/things → 200 application/json: may now be b'],
    ],
    [
      'another type',
      answer(thing({ a: text })),
      answer(thing({ a: { type: 'number' } })),
      ['POST /v1/things → 200 application/json.a: was of type string and is of type number'],
    ],
    [
      'a null that an answer may be now',
      answer({ type: 'string' }),
      answer({ type: ['string', 'null'] }),
      ['POST /v1/things → 200 application/json: was of type string and is of type string or null'],
    ],
    ['a null that a request may be now', body({ type: 'string' }), body({ type: ['string', 'null'] }), []],
    ['an answer of another status', answer(text, 200), answer(text, 202), ['POST /v1/things: no longer returns 200']],
    ['a body that is needed', {}, body(text), ['POST /v1/things: now needs a body']],
    [
      'a parameter that has to be sent',
      {},
      { parameters: [{ in: 'query', name: 'q', required: true }] },
      ['POST /v1/things query q: is now required'],
    ],
    [
      'a parameter that is gone',
      { parameters: [{ in: 'query', name: 'q' }] },
      {},
      ['POST /v1/things query q: is no longer accepted'],
    ],
    [
      'an element of a list',
      answer({ type: 'array', items: thing({ a: text }) }),
      answer({ type: 'array', items: thing({}) }),
      ['POST /v1/things → 200 application/json[].a: is gone'],
    ],
    [
      'a kind of a union',
      body({ oneOf: [thing({ type: { const: 'a' } }), thing({ type: { const: 'b' } })] }),
      body({ oneOf: [thing({ type: { const: 'a' } })] }),
      ['POST /v1/things application/json(b): is no longer accepted'],
    ],
  ])('%s', (_, before, after, changes) => expect(between(before, after)).toEqual(changes))

  it('is a path or a method that is gone, and no new one', () => {
    const before = { paths: { '/a': { get: {}, post: {} }, '/b': { get: {} } } }
    expect(breakingChanges(before, { paths: { '/a': { get: {} }, '/c': { get: {} } } })).toEqual([
      'POST /a: is gone',
      'GET /b: is gone',
    ])
    expect(breakingChanges(before, before)).toEqual([])
  })

  it('is found behind names, in schemas that hold themselves too', () => {
    const node = (more: object) => ({ Node: thing({ inner: { $ref: '#/components/schemas/Node' }, ...more }) })
    const operation = answer({ $ref: '#/components/schemas/Node' })
    expect(breakingChanges(at(operation, node({ a: text })), at(operation, node({})))).toEqual([
      'POST /v1/things → 200 application/json.a: is gone',
    ])
  })
})
