import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type House } from './house'

const rules = `
rules:
  - name: parking
    when: { words: parking }
    then: { reply: 'Parking is booked at https://parking.example or by phone: 5555.' }
  - name: incidents
    when: { pattern: '\\bINC-\\d{4,8}\\b' }
    then: { lookup: incident-by-number }
  - name: lighthouses
    when: { words: lighthouse of skerry }
    then: { collections: [islands], policy: research }
`
const lookups = `
lookups:
  - name: incident-by-number
    kind: sql
    description: What became of an incident.
    tenants: [default]
    collections: [incidents]
    params: [{ name: number, description: Its number., pattern: 'INC-\\d{4,8}' }]
    file: cases.sqlite
    query: SELECT number, state FROM cases WHERE number = :number
`

let dir: string
let house: House
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'rules-'))
  writeFileSync(join(dir, 'routes.yaml'), rules)
  writeFileSync(join(dir, 'lookups.yaml'), lookups)
  const table = new DatabaseSync(join(dir, 'cases.sqlite'))
  table.exec(`CREATE TABLE cases (number TEXT, state TEXT); INSERT INTO cases VALUES ('INC-20441', 'closed in May')`)
  table.close()
  house = await openHouse({ env: { ROUTES_FILE: join(dir, 'routes.yaml'), LOOKUPS_FILE: join(dir, 'lookups.yaml') } })
  await house.add('Skerry', '# Skerry\n\nThe lighthouse of Skerry is 31 metres high.', 'islands')
  await house.add(
    'Incidents',
    '# Incidents\n\nINC-20441 was a pump that leaked.\n\nINC-7070 was a valve that froze.',
    'incidents',
  )
})
afterAll(async () => {
  await house.close()
  rmSync(dir, { recursive: true })
})
const ask = (question: string) => house.client.ask({ question }, { waitSeconds: 30 })

describe('the rules of an operator', () => {
  it('reply in the operator’s words', async () =>
    expect(await ask('Where is parking?')).toMatchObject({
      status: 'answered',
      reason: 'answered.general',
      route: { to: 'reply', logic: "The operator's rule “parking” decides." },
      answer: { text: 'Parking is booked at https://parking.example or by phone: 5555.' },
    }))

  it('choose the collections that are searched, and the policy', async () => {
    const run = await ask('How high is the Lighthouse of Skerry?')
    expect(run).toMatchObject({ policy: 'research', route: { to: 'research', collections: ['islands'] } })
    expect(JSON.stringify(run.answer)).toContain('31 metres')
  })

  it('ask a lookup first, and search the documents where it says nothing', async () => {
    const known = await ask('What was INC-20441?')
    expect(known.route?.logic).toContain('“incidents”')
    expect(known.documentsUsed.map(({ title }) => title)).toEqual(['incident-by-number'])
    expect(JSON.stringify(known.answer)).toContain('closed in May')
    const other = await ask('What was INC-7070?')
    expect(JSON.stringify(other.answer)).toContain('a valve that froze')
  })
})
