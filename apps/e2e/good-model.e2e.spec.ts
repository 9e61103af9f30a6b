import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server'
import { promptTo, readShown } from '@plumbline/testing/scripted-model'
import { evalFolder, numberedBy, playerOf, rowOf, rows, workedOut, wrongs, type Row, type Wrong } from './good-model'
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
afterEach(() => expect(server.faults).toEqual([]))
afterAll(async () => {
  await house.close()
  await server.close()
})

/** A run up to where it ends or is held. */
const asked = async ({ question, collection }: Row, threadId?: string): Promise<RunView> => {
  const { id } = await house.client.ask({ question, collection, ...(threadId && { threadId }) })
  for await (const { type } of house.client.events(id)) if (type === 'ended' || type === 'parked') break
  return house.client.run(id)
}
const callsOf = (row: Row) => server.calls('chat').filter((call) => rowOf(call) === row)
const writingOf = (row: Row) => {
  const call = callsOf(row).find(({ name }) => name === undefined)
  if (!call) throw new Error(`nothing was written for ${row.id}`)
  return readShown(promptTo(call))
}

describe('answers written by hand', () => {
  const runs = new Map<Row, RunView>()
  /** A question, and then those that follow it in its thread. */
  const conversed = async (row: Row, threadId?: string): Promise<void> => {
    const next = rows.find(({ thread }) => thread?.at(-1) === row.question)
    const thread = threadId ?? (next && row.id)
    runs.set(row, await asked(row, thread))
    if (next) await conversed(next, thread)
  }
  const isUnchanged = (row: Row): boolean =>
    runs.get(row)?.reason === row.reason &&
    runs.get(row)?.answer?.text === workedOut(row, numberedBy(writingOf(row), row, row.answer))

  it('are released as they were written, in four calls where the question is plain', { timeout: 120_000 }, async () => {
    expect(rows.length).toBeGreaterThanOrEqual(40)
    server.script({ kind: 'chat' }, playerOf({ draftOf: ({ answer }) => answer, stands: () => () => true }))
    await Promise.all(rows.filter(({ thread }) => !thread).map((row) => conversed(row)))
    const changed = rows.filter((row) => !isUnchanged(row)).map(({ id }) => id)
    expect(changed.length, `not released as they were written: ${changed.join()}`).toBeLessThanOrEqual(
      0.05 * rows.length,
    )

    const plain = rows.filter(({ route }) => route.simple)
    expect(plain.length).toBeGreaterThanOrEqual(30)
    for (const row of plain) {
      const calls = callsOf(row)
      expect([row.id, ...calls.map(({ name }) => name ?? 'answer')]).toEqual([
        row.id,
        'route',
        'grade-evidence',
        'answer',
        'check',
      ])
      for (const [at, call] of calls.slice(1).entries())
        expect(call.receivedAt).toBeGreaterThanOrEqual(calls[at]?.finishedAt ?? Infinity)
    }
  })
})

describe('drafts made wrong by hand', () => {
  const rowNamed = (id: string): Row => rows.find((row) => row.id === id) ?? expect.fail(`no answer ${id}`)
  const drafts = new Map(wrongs.map(({ id, draft }) => [id, draft]))
  const isWrong = ({ wrong }: Wrong, text: string): boolean => wrong.some((piece) => text.includes(piece))
  /** Asks all, with a writer that insists on what is wrong: those that were released with it. */
  const released = async (stands: (wrong: Wrong) => (claim: string) => boolean): Promise<Wrong[]> => {
    const judgeOf = ({ id }: Row) => stands(wrongs.find((wrong) => wrong.id === id) ?? expect.fail(id))
    server.script({ kind: 'chat' }, playerOf({ draftOf: ({ id }) => drafts.get(id) ?? '', stands: judgeOf }))
    const runs = await Promise.all(wrongs.map(({ id }) => asked(rowNamed(id))))
    return wrongs.filter((wrong, at) => isWrong(wrong, JSON.stringify(runs[at]?.answer ?? '')))
  }
  /** What the cited passages say, and their heads. */
  const citedIn = (row: Row): string =>
    writingOf(row)
      .passages.map(({ head, body }) => `${head}\n${body}`)
      .join('\n')

  it('are wrong in what they are said to be wrong in, and in nothing else', () => {
    expect(wrongs).toHaveLength(40)
    expect(new Set(wrongs.map(({ id }) => id)).size).toBe(wrongs.length)
    for (const { id, draft, wrong } of wrongs)
      for (const piece of wrong) {
        expect(draft).toContain(piece)
        expect(rowNamed(id).answer).not.toContain(piece)
      }
  })

  it('are never released where the check is honest', { timeout: 120_000 }, async () => {
    const out = await released((wrong) => (claim) => !isWrong(wrong, claim))
    expect(out.map(({ id }) => id)).toEqual([])
    console.log(server.calls('chat').length)
  })

  it(
    'are held for a figure or an address that stands nowhere, even where the check agrees to everything',
    { timeout: 120_000 },
    async () => {
      const out = await released(() => () => true)
      const caught = wrongs.filter(({ stray }) => stray.length > 0)
      expect(caught.length).toBeGreaterThanOrEqual(15)
      for (const { id, stray } of caught) {
        const cited = citedIn(rowNamed(id))
        for (const piece of stray)
          expect([id, new RegExp(`(?<![\\d.,])${RegExp.escape(piece)}(?![\\d.,]*\\d)`).test(cited)]).toEqual([
            id,
            false,
          ])
      }
      expect(out.filter(({ stray }) => stray.length > 0).map(({ id }) => id)).toEqual([])
      console.log(
        `Where the check agrees to everything, ${out.length} of the ${wrongs.length - caught.length} wrong drafts whose figures all stand somewhere are released.`,
      )
    },
  )
})
