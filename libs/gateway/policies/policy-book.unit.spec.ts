import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { heldPolicy } from '@plumbline/flow'
import { standard } from '@plumbline/flow/policy/standard'
import { policyBook } from './policy-book'
import { readPolicies } from './policy-book'

describe('the folder of policies', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'plumbline-policies-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))
  const write = (file: string, text: string): void => writeFileSync(join(dir, file), text)

  it('holds YAML and JSON records; one may extend another', () => {
    write(
      '10-careful.yaml',
      'name: careful\nextends: standard\nparkBelow: 1\nmaxRewrites: 1\nskills:\n  answer: { temperature: 0 }\n',
    )
    write('20-quick.json', '{ "name": "quick", "extends": "careful", "maxSteps": 2 }')
    write('README.md', 'not a policy')
    const { policies, faults } = readPolicies(dir)
    expect(faults).toEqual([])
    expect(policies.careful).toMatchObject({ maxRewrites: 1, skills: { answer: { tier: 'strong', temperature: 0 } } })
    expect(policies.quick).toMatchObject({ name: 'quick', maxRewrites: 1, maxSteps: 2 })
  })

  it('tells every fault of every file, with the file', () => {
    write('a.yaml', 'name: a\nextends: standard\nwhenSpent: sometimes\nrules: []\n')
    write('b.yaml', 'name: standard\nextends: standard\n')
    write('c.yaml', '{')
    const { policies, faults } = readPolicies(dir)
    expect(policies).toEqual({})
    expect(faults.join('\n')).toMatch(/a\.yaml: .*whenSpent[^\n]*park/)
    expect(faults.join('\n')).toMatch(/a\.yaml: .*rules/)
    expect(faults.join('\n')).toMatch(/b\.yaml: .*already a policy standard/)
    expect(faults.some((fault) => fault.startsWith('c.yaml: '))).toBe(true)
  })

  it('that is not there is a fault', () => {
    expect(readPolicies(join(dir, 'nowhere')).faults).toEqual([expect.stringContaining('nowhere cannot be read')])
  })
})

it('makes the held form of each policy once', () => {
  const book = policyBook({ careful: { ...standard, name: 'careful' } })
  for (const name of ['standard', 'careful']) {
    expect(book.byName(name, true)).toEqual(heldPolicy(book.byName(name)))
    expect(book.byName(name, true)).toBe(book.byName(name, true))
  }
})

it('offers only the policies of the operator, and still finds the others', () => {
  const { all, offered, refuseOthers, byName } = policyBook({}, ['simple', 'standard'])
  expect(offered.map(({ name }) => name)).toEqual(['standard', 'simple'])
  expect(all.length).toBeGreaterThan(2)
  expect(() => refuseOthers('agentic')).toThrow()
  expect(() => refuseOthers('simple')).not.toThrow()
  expect(byName('agentic').name).toBe('agentic')
  expect(policyBook({}).offered).toEqual(policyBook({}).all)
})
