import { expect, it } from 'vitest'
import { readRequest, type ModelRequest } from './request'
import { createLatencies, createScript, matches, sampler, type Matcher } from './script'
import { answer } from './answer'

const many = (sample: () => number): number[] => Array.from({ length: 4_000 }, sample)

it('is spread about its median, with the same values for the same seed', () => {
  const values = many(sampler({ kind: 'lognormal', medianMs: 800, sigma: 0.5, seed: 7 }))
  expect(many(sampler({ kind: 'lognormal', medianMs: 800, sigma: 0.5, seed: 7 }))).toEqual(values)
  expect(many(sampler({ kind: 'lognormal', medianMs: 800, sigma: 0.5, seed: 8 }))).not.toEqual(values)
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? 0
  expect(at(0.5)).toBeGreaterThan(760)
  expect(at(0.5)).toBeLessThan(840)
  expect(at(0.84) / at(0.5)).toBeCloseTo(Math.exp(0.5), 1)
})

it('is never more than its most', () => {
  expect(Math.max(...many(sampler({ kind: 'lognormal', medianMs: 800, sigma: 2, mostMs: 900 })))).toBe(900)
})

it('is that of the newest that matches, and none at all otherwise', () => {
  const asked = readRequest('POST', '/v1/chat/completions', { model: 'small', messages: [] })
  const latencies = createLatencies()
  expect(latencies.of(asked)).toBe(0)
  latencies.add({ kind: 'fixed', ms: 5 }, {})
  latencies.add({ kind: 'fixed', ms: 9 }, { model: 'strong' })
  expect(latencies.of(asked)).toBe(5)
  expect(latencies.of({ ...asked, model: 'strong' })).toBe(9)
})

const asked = (more: object = {}): ModelRequest =>
  readRequest('POST', '/v1/chat/completions', {
    model: 'small',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Roofs of slate' }] }],
    ...more,
  })
const structured = asked({ response_format: { type: 'json_schema', json_schema: { name: 'route', schema: {} } } })
const tool = (choice: unknown): ModelRequest =>
  asked({ tools: [{ type: 'function', function: { name: 'plan' } }], tool_choice: choice })
const text = (said: string): object => ({ kind: 'content', content: { kind: 'text', text: said } })

it.each<[string, Matcher, ModelRequest, boolean]>([
  ['the name of a schema', 'route', structured, true],
  ['the name of a named tool', 'plan', tool({ type: 'function', function: { name: 'plan' } }), true],
  ['the name of a required tool', 'plan', tool('required'), true],
  ['not a tool that may be left', 'plan', tool('auto'), false],
  ['words in the messages', /slate/g, asked(), true],
  ['not words that are not there', /amber/, asked(), false],
  ['a model', { model: 'small' }, asked(), true],
  ['not one of two conditions', { model: 'small', text: /amber/ }, asked(), false],
  ['a kind', { kind: 'embeddings' }, asked(), false],
  ['a predicate', ({ stream }) => stream, asked({ stream: true }), true],
])('matches %s', (_, matcher, request, expected) => {
  expect(matches(matcher, request)).toBe(expected)
  expect(matches(matcher, request)).toBe(expected)
})

it('gives answers in order, and the last one for ever', async () => {
  const script = createScript()
  script.add({}, ['one', answer.limited(2), 'three'])
  const given = [
    await script.next(asked()),
    await script.next(asked()),
    await script.next(asked()),
    await script.next(asked()),
  ]
  expect(given).toEqual([text('one'), answer.limited(2), text('three'), text('three')])
})

it('uses the newest script that matches a request', async () => {
  const script = createScript()
  script.add({}, ['any'])
  script.add(/slate/, [({ model }) => `for ${model}`])
  expect(await script.next(asked())).toEqual(text('for small'))
  expect(await script.next(asked({ messages: [] }))).toEqual(text('any'))
  script.clear()
  expect(await script.next(asked())).toEqual(answer.usual())
})

it('needs an answer', () => {
  expect(() => createScript().add({}, [])).toThrow('at least one answer')
})
