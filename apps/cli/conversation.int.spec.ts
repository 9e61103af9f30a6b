import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import type { RunView } from '@plumbline/contracts'
import { askOnce } from './ask'
import { openHistory, startConversation } from './conversation'
import { plain } from './render/text'

let dir: string
let server: Server
let asks: { question: string; threadId: string }[]
let cancelled: string[]
/** Events and fields that the server adds to the next runs. */
let events: object[]
let fields: Partial<RunView>
/** The runs in progress. Their event streams stay open. */
let underWay: Set<string>
let whenWatched: () => void

const view = (id: string, question: string): RunView => ({
  id,
  status: 'answered',
  question,
  policy: 'standard',
  plan: { steps: [] },
  queriesAttempted: 1,
  rewrites: 0,
  documentsUsed: [],
  answer: { kind: 'written', text: `An answer to ${question}`, citations: [] },
  usage: { calls: 0, tokensIn: 0, tokensOut: 0, cents: 0 },
  trace: ['0.000 s ask: "something"', `0.002 s route: to ${id}`],
  timings: { createdAt: '', deadlineAt: '' },
})

const json = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const ask = JSON.parse((await request.toArray()).join('')) as { question: string; threadId: string }
  if (ask.question === 'too much')
    return json(response, { type: 'x', title: 'X', status: 429, detail: 'Slow down.' }, 429)
  asks.push(ask)
  json(response, view(`r${asks.length}`, ask.question), 202)
}

const gateway = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname } = new URL(request.url ?? '', 'http://gateway')
  const [, , , id = '', part] = pathname.split('/')
  const run = { ...view(id, asks[Number(id.slice(1)) - 1]?.question ?? ''), ...fields }
  if (request.method === 'POST' && id === '') return take(request, response)
  if (part === 'cancel') return (cancelled.push(id), json(response, { ...run, status: 'cancelled' }))
  if (part !== 'events') return json(response, run)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const ended = { type: 'ended', audience: 'asker', at: 1, status: 'answered', reason: 'answered.checked' }
  if (underWay.has(id)) response.write(': here\n\n', () => whenWatched())
  else response.end([...events, ended].map((one, n) => `id: ${n + 1}-0\ndata: ${JSON.stringify(one)}\n\n`).join(''))
}

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'plumbline-talk-'))
  asks = []
  cancelled = []
  events = []
  fields = {}
  underWay = new Set()
  whenWatched = () => undefined
  server = createServer((request, response) => void gateway(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(dir, { recursive: true })
})

/** Returns the output of a conversation in which a person types these lines. */
const shown = async (...typed: string[]): Promise<string> => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const printed: string[] = []
  const out = { screen: { paint: plain, width: 80 }, print: (lines: string[]) => void printed.push(...lines) }
  const session = {
    client: createClient({ url }),
    options: { question: '', trace: false, json: false, url },
    results: out,
    progress: out,
    lines: { ask: () => Promise.resolve(typed.shift() ?? null), close: () => undefined },
  }
  await startConversation(session, dir)
  return printed.join('\n')
}

it('asks as it is typed, in one thread until /new', async () => {
  const screen = await shown('first', 'second', '/new', 'third', '-q', 'never')
  expect(asks.map(({ question }) => question)).toEqual(['first', 'second', 'third'])
  const [one, two, three] = asks.map(({ threadId }) => threadId)
  expect(two).toBe(one)
  expect(three).not.toBe(one)
  expect(screen).toContain('An answer to third')
})

it('explains the last answer on /why, and lists the commands on /help', async () => {
  expect(await shown('/why')).toContain('You have not asked a question yet.')
  const screen = await shown('first', 'second', '/why', '/help', '/wyh', '/v1/runs is what?')
  expect(screen).toContain('0.002 s route: to r2')
  expect(screen).not.toContain('route: to r1')
  expect(screen).toMatch(/\/new +begin a new thread/)
  expect(screen).toContain('There is no command /wyh')
  expect(asks.at(-1)?.question).toBe('/v1/runs is what?')
})

it('continues after a question that the gateway refuses', async () => {
  expect(await shown('too much', 'first')).toMatch(/Slow down\.[\s\S]*An answer to first/)
})

it('cancels the question in progress on Ctrl-C, and continues', async () => {
  underWay.add('r1')
  whenWatched = () => void process.emit('SIGINT')
  expect(await shown('slow', 'quick')).toMatch(/Cancelled\.[\s\S]*An answer to quick/)
  expect(cancelled).toEqual(['r1'])
})

it('prints only the run view for one question in JSON, with the progress beside it', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const written = { results: '', progress: '' }
  const out = (name: keyof typeof written) => ({
    screen: { paint: plain, width: 80 },
    print: (lines: string[]) => void (written[name] += lines.map((line) => `${line}\n`).join('')),
  })
  const session = {
    client: createClient({ url }),
    options: { question: 'first', trace: true, json: true, url },
    lines: { ask: () => Promise.resolve(null), close: () => undefined },
    results: out('results'),
    progress: out('progress'),
  }
  expect(await askOnce(session, 'first')).toBe('answered')
  expect(JSON.parse(written.results)).toEqual(view('r1', 'first'))
  expect(written.progress).toContain('answered.checked')
  expect(await askOnce({ ...session, options: { ...session.options, json: false } }, 'second')).toBe('answered')
  expect(written.results).toContain('An answer to second')
  expect(written.progress).not.toContain('An answer to second')
})

const checked = (from: number, text: string): object => ({
  ...{ type: 'checked', audience: 'asker', at: 1, draft: 1, from, text, citations: [] },
})
const [first, second, third] = [
  'The ferry sails at 08:00 [1].',
  ' It carries dogs [1].',
  '\n\nBicycles cost 3 euros [1].',
]
const withText = (text: string): Partial<RunView> => ({ answer: { kind: 'written', text, citations: [] } })

/** Asks a question as in a pipe. Returns the text on standard output (`results`) and standard error (`progress`). */
const askPiped = async (json = false): Promise<{ results: string; progress: string }> => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const written = { results: '', progress: '' }
  const out = (name: keyof typeof written) => ({
    screen: { paint: plain, width: 80 },
    print: (lines: string[]) => void (written[name] += lines.map((line) => `${line}\n`).join('')),
  })
  const lines = { ask: () => Promise.resolve(null), close: () => undefined }
  const options = { question: 'first', trace: false, json, url }
  const session = { client: createClient({ url }), options, lines, results: out('results'), progress: out('progress') }
  await askOnce(session, 'first')
  return written
}

it('prints checked parts as they arrive, then only the remainder of the answer', async () => {
  events = [
    { type: 'writing', audience: 'asker', at: 1, draft: 1 },
    checked(0, first),
    checked(first.length, second),
    { type: 'checking', audience: 'asker', at: 1, draft: 1 },
  ]
  fields = withText(`${first}${second}${third}`)
  const { results, progress } = await askPiped()
  expect(results).toMatch(/^The ferry sails at 08:00 \[1]\.\nIt carries dogs \[1]\.\n\nBicycles cost 3 euros \[1]\.\n/)
  for (const part of ['ferry sails', 'carries dogs', 'Bicycles cost']) expect(results.split(part)).toHaveLength(2)
  expect(progress).toMatch(/checking +the rest/)
  expect(progress).not.toContain('ferry sails')
  expect(JSON.parse((await askPiped(true)).results)).toMatchObject(fields)
})

it('prints the whole answer again if a reviewer changed the printed part, and says so', async () => {
  events = [checked(0, first), { type: 'corrected', audience: 'asker', at: 1 }]
  fields = withText('The ferry sails at 09:00 [1].')
  const { results } = await askPiped()
  expect(results).toMatch(/08:00[^]+A reviewer changed the text above\.[^]+The ferry sails at 09:00 \[1]\./)
})

it('says below a printed part that it is incomplete or withdrawn', async () => {
  events = [checked(0, first)]
  const partial = { text: first, citations: [], state: 'incomplete' as const }
  fields = { status: 'failed', answer: undefined, partial }
  expect((await askPiped()).results).toMatch(/08:00[^]+The text above is checked, but incomplete\./)
  fields = { status: 'rejected', answer: undefined, partial: { ...partial, state: 'withdrawn' } }
  expect((await askPiped()).results).toMatch(/08:00[^]+A reviewer withdrew the text above\./)
})

it('stores the last 500 typed lines, readable only by this user', async () => {
  const file = join(dir, 'history')
  const history = openHistory(file)
  for (let at = 1; at <= 505; at += 1) history.add(`question ${at}`)
  await shown('the last', 'the last')
  const kept = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect([kept.length, kept[0], kept.at(-2), kept.at(-1)]).toEqual([500, 'question 7', 'question 505', 'the last'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(openHistory(file).lines).toEqual(kept)
})
