import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { plainModel } from '@plumbline/testing/scripted-model/plain-model'
import { startPostgres } from '@plumbline/testing/postgres'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type House } from './house'

const crane = { name: 'harbour', description: 'The harbour.', values: ['Aldwick', 'Brenholm'] }
const berth = { name: 'length', description: 'The length in metres.', type: 'number' }
const shared = { tenants: ['default'], collections: ['harbours'] }
const places = (url: string) => [
  {
    ...{ name: 'cranes', kind: 'postgres', description: 'The gantry cranes of a harbour.', params: [crane], ...shared },
    ...{ connection: '$FLEET_DB', query: 'SELECT crane, state FROM cranes WHERE harbour = :harbour ORDER BY crane' },
  },
  {
    ...{ name: 'berths', kind: 'http', description: 'Free berths by length.', params: [berth], ...shared },
    ...{ url: `${url}/search`, body: { where: { length: '{length}' }, limit: 9 }, rows: 'items' },
  },
  ...Array.from({ length: 18 }, (_, n) => ({
    ...{ name: `table-${n}`, kind: 'postgres', description: `Rows of kind ${n}.`, params: [crane], ...shared },
    ...{ connection: '$FLEET_DB', query: 'SELECT crane FROM cranes WHERE harbour = :harbour' },
  })),
]

const bodies: unknown[] = []
let dir: string
let postgres: Awaited<ReturnType<typeof startPostgres>>
let http: Server
let model: ModelServer
let house: House
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lookups-'))
  postgres = await startPostgres()
  await postgres.run(`CREATE TABLE cranes (crane text, state text, harbour text);
    INSERT INTO cranes VALUES ('Gantry 7', 'idle since Tuesday', 'Aldwick'), ('Gantry 8', 'busy', 'Brenholm')`)
  http = createServer((request, response) => {
    void json(request).then((body) => {
      bodies.push(body)
      const items = [{ berth: 'Quay North 12', length: 240 }]
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ items }))
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(http.address() as AddressInfo).port}`
  writeFileSync(join(dir, 'lookups.yaml'), JSON.stringify({ lookups: places(`http://${address}`) }))
  writeFileSync(join(dir, 'fleet-db'), `${postgres.url}?sslrootcert=${postgres.ca}\n`)
  process.env['FLEET_DB_FILE'] = join(dir, 'fleet-db')
  model = await startModelServer()
  model.script(() => true, plainModel)
  const env = {
    ...{ OPENAI_BASE_URL: model.openaiUrl, OPENAI_API_KEY: 'a-key', CACHE: 'off' },
    ...{ LOOKUPS_FILE: join(dir, 'lookups.yaml'), ALLOW_PRIVATE_ADDRESSES: address },
  }
  house = await openHouse({ env })
  await house.add('Pilots', '# Pilots\n\nA pilot boards every ship above 500 tonnes.', 'harbours')
})
afterEach(() => expect(model.faults).toEqual([]))
afterAll(async () => {
  delete process.env['FLEET_DB_FILE']
  await house.close()
  await model.close()
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
  await postgres.stop()
  rmSync(dir, { recursive: true })
})

const ask = async (question: string, policy = 'standard') => {
  const before = model.calls('chat').length
  const run = await house.client.ask({ question, policy }, { waitSeconds: 30 })
  return {
    run,
    prompts: model
      .calls('chat')
      .slice(before)
      .map(({ name }) => name ?? 'text'),
  }
}

describe('20 lookups', () => {
  it('cost no model call if none fits the question', async () => {
    const { run, prompts } = await ask('Which tonnes need a pilot?')
    expect(run).toMatchObject({ status: 'answered', documentsUsed: [{ title: 'Pilots' }] })
    expect(prompts[0]).toBe('route')
    expect(prompts).not.toContain('fill-lookup')
  })

  it('answer from Postgres over TLS, with one call for its values', async () => {
    const { run, prompts } = await ask('Which gantry crane of Aldwick is idle since Tuesday?')
    expect(prompts.filter((name) => name === 'fill-lookup')).toHaveLength(1)
    expect(run.documentsUsed.map(({ title }) => title)).toContain('cranes')
    expect(run.answer?.text).toContain('Gantry 7')
    expect(run.answer?.text).not.toContain('Gantry 8')
    expect(run.answer?.citations.map(({ title }) => title)).toEqual(['cranes'])
  })

  it('answer from a service that receives a number in its JSON', async () => {
    const { run } = await ask('Which free berth of length 240 is at Quay North?')
    expect(bodies).toEqual([{ where: { length: 240 }, limit: 9 }])
    expect(run.answer?.text).toContain('Quay North 12')
  })

  it('cost one call for all if the policy has no router', async () => {
    const { prompts } = await ask('Which gantry cranes stand in Brenholm?', 'simple')
    expect(prompts).not.toContain('route')
    expect(prompts.filter((name) => name === 'fill-lookup')).toHaveLength(1)
  })

  it('never fail a run: after a change of the table the ledger names the lookup', async () => {
    await postgres.run('ALTER TABLE cranes RENAME COLUMN state TO status')
    const { run } = await ask('Which gantry cranes stand in Aldwick?')
    expect(run.status).not.toBe('failed')
    const degraded: string[] = []
    for await (const event of house.client.events(run.id, { audience: 'desk' }))
      if (event.type === 'queried') degraded.push(...(event.degraded ?? []))
    expect(degraded).toContain('lookup:cranes')
  })
})
