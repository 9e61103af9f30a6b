import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { patternCost } from './pattern-cost'
import { readRules, ruleFor } from './rules'

const file = (text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'routes-')), 'routes.yaml')
  writeFileSync(path, text)
  return path
}
const rules = (text: string) => readRules(file(text))
const faults = (text: string): string => {
  try {
    rules(text)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}
const one = (when: string, then = '{ collections: [hr] }') =>
  rules(`rules: [{ name: one, when: ${when}, then: ${then} }]`)
const asking = (question: string, more: { tenant?: string; collections?: string[] } = {}) => ({
  tenant: 'acme',
  collections: ['hr', 'it'],
  question,
  ...more,
})

describe('a routing rule', () => {
  it.each([
    ['annual leave', 'How much Annual  Leave do I have?', true],
    ['annual leave', 'How much leave is annual?', false],
    ['leave', 'May I sleave it?', false],
    ['café', 'Wann öffnet das CAFE?', true],
    ['有給休暇', '有給休暇は何日ありますか', true],
    ['VPN', 'vpn-gateway down', true],
  ])('fits by words: %s in “%s”: %s', (words, question, fits) =>
    expect(ruleFor(one(`{ words: "${words}" }`), asking(question)) !== undefined).toBe(fits),
  )

  it('fits by a pattern, in any case', () => {
    const by = one(String.raw`{ pattern: '\bINC-\d{4,8}\b' }`)
    expect(ruleFor(by, asking('What of inc-12345?'))?.name).toBe('one')
    expect(ruleFor(by, asking('What of INC-1?'))).toBeUndefined()
  })

  it('comes before later rules, and applies only to its tenants and if one of its collections may be read', () => {
    const several = rules(`
rules:
  - { name: theirs, when: { words: leave }, then: { reply: Ask Ann. }, tenants: [globex] }
  - { name: secret, when: { words: leave }, then: { collections: [board] } }
  - { name: first, when: { words: leave }, then: { collections: [board, hr], policy: research } }
  - { name: second, when: { words: leave }, then: { lookup: balance } }`)
    const named = (more?: Parameters<typeof asking>[1]) => ruleFor(several, asking('My leave?', more))?.name
    expect([
      named(),
      named({ tenant: 'globex' }),
      named({ collections: ['board'] }),
      named({ collections: ['it'] }),
    ]).toEqual(['first', 'theirs', 'secret', 'second'])
  })

  it('takes a bounded time for the longest question, at the maximum cost of a pattern', () => {
    const slow = one(`{ pattern: '.{0,98}.{0,98}b' }`)
    const started = performance.now()
    expect(ruleFor(slow, asking('a'.repeat(4_000)))).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(3_000)
  })
})

describe('a file of routing rules', () => {
  it('tells all its faults at once', () => {
    const told = faults(`
rules:
  - { name: a, when: { words: x, pattern: x }, then: { collections: [hr] } }
  - { name: a, when: { words: "?!" }, then: {} }
  - { name: b, when: { pattern: "(" }, then: { reply: No., policy: research } }
  - { name: c, when: { pattern: "(a+)+b" }, then: { repyl: No. } }
  - { name: d, when: { words: x }, then: { collections: [] }, tenant: acme }`)
    for (const part of [
      'rules.0.when: give words or a pattern',
      'rules.1.when.words: contains no word',
      'rules.1.then: set an action',
      'rules.2.when.pattern: is not a valid regular expression',
      'rules.2.then: the action reply ends the run',
      'rules.3.when.pattern: matching this pattern could take too long',
      'rules.3.then: Unrecognized key: "repyl"',
      'rules.4.then.collections:',
      'rules.4: Unrecognized key: "tenant"',
    ])
      expect(told).toContain(part)
  })

  it('has each name once, and bounds its patterns together', () => {
    const wide = (n: number) => `{ name: p${n}, when: { pattern: '.*abc' }, then: { reply: No. } }`
    const told = faults(`rules: [${[1, 1, 2, 3].map(wide).join(', ')}]`)
    expect(told).toContain('“p1” is the name of two rules')
    expect(told).toContain('matching all of these patterns could take too long')
  })

  it('says what cannot be read', () => {
    expect(() => readRules('/nowhere/routes.yaml')).toThrow('/nowhere/routes.yaml cannot be read')
    expect(faults('rules: [')).toContain('cannot be read')
  })
})

describe('the work of a pattern', () => {
  it.each([
    ['holiday', 7],
    ['\\p{L}[)(|\\]*]\\u{1F600}x', 4],
    ['a|bc', 4],
    ['(?:ab)?c', 5],
    ['INC-\\d{4,8}', 12],
    ['a{3}b', 4],
    ['(?<year>\\d{4})-', 6],
    ['.*x', 8_001],
  ])('is counted: %s', (pattern, steps) => {
    expect(() => new RegExp(pattern, 'iu')).not.toThrow()
    expect(patternCost(pattern)).toBe(steps)
  })

  it.each([
    '(a+)+$',
    '(a|a)*b',
    '(?:a?){30}b',
    '(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)b',
    'a*a*b',
    '.*.*x',
    '.{0,400}.{0,400}x',
    '.*a{1000}',
    '(a)\\1',
    '(?<a>a)\\k<a>',
    '(?:(?:a*)*){0}b',
    '(?=(a*)*)b',
  ])('is too much: %s', (pattern) => {
    expect(() => new RegExp(pattern, 'iu')).not.toThrow()
    expect(patternCost(pattern)).toBeGreaterThan(20_000)
  })
})
