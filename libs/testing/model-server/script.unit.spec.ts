import { expect, it } from 'vitest'
import { answer } from './answer'
import { readAsked, type Asked } from './asked'
import { createScript, matches, type Matcher } from './script'

const asked = (more: object = {}): Asked =>
  readAsked('POST', '/v1/chat/completions', {
    model: 'small',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Roofs of slate' }] }],
    ...more,
  })
const structured = asked({ response_format: { type: 'json_schema', json_schema: { name: 'route', schema: {} } } })
const tool = (choice: unknown): Asked =>
  asked({ tools: [{ type: 'function', function: { name: 'plan' } }], tool_choice: choice })
const text = (said: string): object => ({ kind: 'content', content: { kind: 'text', text: said } })

it.each<[string, Matcher, Asked, boolean]>([
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

it('lets the newest script answer, others what it does not match', async () => {
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
