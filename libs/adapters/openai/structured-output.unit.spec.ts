import { describe, expect, it } from 'vitest'
import { abilitiesOf, learnFrom, stepDown, formFor, type Abilities, type RequestForm } from './structured-output'

let serial = 0
const fresh = (model = 'gpt-4.1'): Abilities => abilitiesOf(`http://server-${(serial += 1)}`, model)
const asked = (more: Partial<RequestForm> = {}): RequestForm => ({
  name: 'route',
  way: 'schema',
  temperature: true,
  streams: false,
  streamUsage: false,
  ...more,
})
const unknown = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."

describe('known abilities of a server', () => {
  it('is kept for each model', () => {
    const abilities = fresh()
    expect(abilitiesOf(`http://server-${serial}`, 'gpt-4.1')).toBe(abilities)
    expect(abilitiesOf(`http://server-${serial}`, 'other')).not.toBe(abilities)
  })

  it.each([
    ['gpt-5-mini', false],
    ['o4-mini', false],
    ['gpt-5-chat-latest', true],
    ['gpt-4.1', true],
    ['olmo-2', true],
  ])('%s takes a temperature: %s', (model, takes) => expect(fresh(model).temperature).toBe(takes))

  it('limits an answer by a field that the model supports, or by none', () => {
    expect([fresh('gpt-4.1').limit, fresh('o4-mini').limit]).toEqual(['max_tokens', 'max_completion_tokens'])
    const abilities = fresh('my-model')
    const unsupported = "Unsupported parameter: 'max_tokens' is not supported with this model."
    expect(
      learnFrom(abilities, `${unsupported} Use 'max_completion_tokens' instead.`, asked({ limit: 'max_tokens' })),
    ).toBe(true)
    expect(abilities.limit).toBe('max_completion_tokens')
    const unknown = 'Unrecognized request argument supplied: max_completion_tokens'
    expect(learnFrom(abilities, unknown, asked({ limit: 'max_completion_tokens' }))).toBe(true)
    expect(abilities.limit).toBeNull()
  })

  it('goes from schemas to tools to plain JSON, and no further', () => {
    const abilities = fresh()
    expect(learnFrom(abilities, unknown, asked())).toBe(true)
    expect(formFor(abilities, 'plan')).toBe('tool')
    expect(learnFrom(abilities, "Unrecognized request argument supplied: 'tools'", asked({ way: 'tool' }))).toBe(true)
    expect(formFor(abilities, 'plan')).toBe('text')
    expect(stepDown(abilities, 'plan', 'text')).toBe(false)
  })

  it('is learned once by concurrent calls', () => {
    const abilities = fresh()
    expect([1, 2, 3].map(() => learnFrom(abilities, unknown, asked()))).toEqual([true, true, true])
    expect(formFor(abilities, 'route')).toBe('tool')
  })

  it('changes for one schema only, if the server supports schemas in general', () => {
    const proven = { ...fresh(), proven: true }
    learnFrom(proven, unknown, asked())
    expect([formFor(proven, 'route'), formFor(proven, 'plan')]).toEqual(['tool', 'schema'])
    const told = fresh()
    learnFrom(told, "Invalid schema for response_format 'route': 'required' is required to be supplied", asked())
    expect([formFor(told, 'route'), formFor(told, 'plan')]).toEqual(['tool', 'schema'])
  })

  it('do not change for an unrelated fault', () => {
    const abilities = fresh()
    for (const said of [
      "This model's maximum context length is 8192 tokens.",
      'The model `x` does not exist',
      'Your organization must be verified',
    ])
      expect(learnFrom(abilities, said, asked())).toBe(false)
    expect(learnFrom(abilities, unknown, asked({ name: undefined, way: undefined }))).toBe(false)
  })
})
