import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server'
import { promptTo, readShown } from '@plumbline/testing/scripted-model'
import { evalFolder, numberedBy, playerOf, rowOf, rows, workedOut, type Row } from './good-model'
import { openHouse, type House } from './house'

const docs = join(evalFolder, 'docs')
const collections = readdirSync(docs, { withFileTypes: true }).filter((entry) => entry.isDirectory())

let server: ModelServer
let house: House
const upload = async (collection: string, file: string): Promise<void> => {
  const blob = new Blob([readFileSync(join(docs, collection, file))])
  const { id } = await house.client.uploadDocument(blob, file, { collection })
  for await (const { status, error } of house.client.documentEvents(id)) {
    if (status === 'indexed') return
    if (status === 'failed') throw new Error(`${file} was not indexed: ${error}`)
  }
}
beforeAll(async () => {
  server = await startModelServer()
  house = await openHouse({ env: { OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: 'a-key', CACHE: 'off' } })
  await Promise.all(collections.flatMap(({ name }) => readdirSync(join(docs, name)).map((file) => upload(name, file))))
}, 60_000)
beforeEach(() => server.reset())
afterAll(async () => {
  await house.close()
  await server.close()
})

/** A run up to where it ends or is held. */
const asked = async (row: Row, question: string, threadId?: string): Promise<RunView> => {
  const ask = { question, collection: row.collection, ...(threadId && { threadId }) }
  const { id } = await house.client.ask(ask)
  for await (const { type } of house.client.events(id)) if (type === 'ended' || type === 'parked') break
  return house.client.run(id)
}
const callsOf = (row: Row) => server.calls('chat').filter((call) => rowOf(call) === row)

/** What the writer was asked to write, in the numbers of its prompt. */
const expectedOf = (row: Row): string => {
  const call = callsOf(row).find(({ name }) => name === undefined)
  return call ? workedOut(row, numberedBy(readShown(promptTo(call)), row, row.answer)) : 'nothing was written'
}

describe('answers written by hand', () => {
  it('are released as they were written', { timeout: 120_000 }, async () => {
    server.script({ kind: 'chat' }, playerOf({ draftOf: ({ answer }) => answer, stands: () => () => true }))
    const threads = new Map(rows.flatMap(({ thread = [], id }) => thread.map((turn) => [turn, id] as const)))
    const first = rows.filter(({ thread }) => !thread)
    const runs = new Map<Row, RunView>()
    const one = async (row: Row, threadId?: string): Promise<void> =>
      void runs.set(row, await asked(row, row.question, threadId))
    await Promise.all(
      first.map(async (row) => {
        const id = threads.get(row.question)
        await one(row, id)
        for (const next of rows.filter(({ thread }) => thread?.at(-1) === row.question)) await one(next, id)
      }),
    )
    const held = rows.filter(
      (row) => runs.get(row)?.answer?.text !== expectedOf(row) || runs.get(row)?.reason !== row.reason,
    )
    for (const row of held) {
      const run = await house.client.run(runs.get(row)!.id, { audience: 'desk' })
      console.log(
        row.id,
        run.status,
        run.reason,
        '\nGOT ',
        run.answer?.text,
        '\nEXP ',
        expectedOf(row),
        callsOf(row).map(({ name }) => name),
        run.grounding?.claims.filter((c) => c.verdict !== 'supported'),
      )
    }
    console.log(rows.length, held.length, server.calls('chat').length)
    expect(held.length / rows.length).toBeLessThanOrEqual(0.05)
  })
})
