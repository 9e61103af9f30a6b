import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { openHouse, type House } from './house'

const memory = `# Agent memory

Short-term memory holds the working context of one conversation. It is fast and is lost when the conversation ends.

Long-term memory keeps facts across conversations. It is slower and stays until it is deleted.`

const storage = `# Storage engines

| Engine | Structure | Write amplification | Largest value |
|---|---|---|---|
| Alder | B-tree | 9 | 16 MB |
| Birch | LSM tree | 21 | 512 MB |

The Birch engine was released in 2019.`

const sites = `# Data centres

| Site | PUE 2019 | PUE 2022 |
|---|---|---|
| Dublin | – | 1.18 |
| Oslo | 1.12 | 1.09 |`

const pages = [
  {
    title: 'Harbour Cup 2026',
    url: 'https://news.example/harbour-cup',
    content:
      'The Harbour Cup 2026 was won by the Vardby Rowers on 14 November 2026. They finished in 6 minutes 12 seconds.',
  },
  {
    title: 'Rowing results',
    url: 'https://results.example/rowing',
    content: 'Vardby Rowers took the Harbour Cup 2026 ahead of Orm United.',
  },
]

let web: Server
let house: House
const searches: string[] = []
beforeAll(async () => {
  web = createServer((request, response) => {
    searches.push(new URL(request.url ?? '/', 'http://web').searchParams.get('q') ?? '')
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ query: searches.at(-1), results: pages }))
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const address = web.address()
  const port = typeof address === 'object' && address ? address.port : 0
  house = await openHouse({ env: { WEB_SEARCH: 'searxng', SEARXNG_URL: `http://127.0.0.1:${port}` } })
  await house.add('Agent memory', memory, 'handbook')
  await house.add('Storage engines', storage, 'handbook')
  await house.add('Data centres', sites, 'handbook')
}, 60_000)
afterAll(async () => {
  await house.close()
  await new Promise((resolve) => web.close(resolve))
})

const ask = (question: string, more: { policy?: string; threadId?: string } = {}): Promise<RunView> =>
  house.client.ask({ question, collection: 'handbook', ...more }, { waitSeconds: 30 })

describe('what a Self-RAG system shows, over HTTP and without a model', () => {
  it('a recent event: the web is asked, and its pages are cited with their addresses', async () => {
    const run = await ask('Who won the Harbour Cup 2026?', { policy: 'adaptive' })
    expect(run).toMatchObject({ status: 'answered', route: { to: 'web' } })
    expect(run.answer?.text).toMatch(/Vardby Rowers/)
    expect(run.answer?.citations.map(({ url }) => url)).toContain(pages[0]!.url)
    for (const { fetchedAt } of run.answer?.citations ?? [])
      expect(Date.parse(fetchedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect(searches).toContain('Who won the Harbour Cup 2026?')
  })

  it('a technical comparison: both sides from the documents, each cited', async () => {
    const run = await ask('Compare the write amplification of Alder and Birch.')
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(run.answer?.text).toMatch(/\b9\b/)
    expect(run.answer?.text).toMatch(/\b21\b/)
  })

  it('an ambiguous ask: asked back, and the reply goes on in the same thread', async () => {
    const asked = await ask('What is the value?', { threadId: 'ambiguous' })
    expect(asked).toMatchObject({ status: 'needs_input' })
    const run = await ask('The write amplification of Birch.', { threadId: 'ambiguous' })
    expect(run).toMatchObject({ status: 'answered', threadId: 'ambiguous' })
    expect(run.answer?.text).toMatch(/\b21\b/)
  })

  it('a misleading claim: corrected, with its source', async () => {
    const run = await ask('Why was the Birch engine released in 2015?')
    expect(run.status).toMatch(/answered|unanswered/)
    expect(run.answer?.text).toMatch(/2019/)
    expect(run.answer?.text).not.toMatch(/was released in 2015/)
    expect(run.answer?.citations.length).toBeGreaterThan(0)
  })

  it('a calculation of several steps: formula, inputs and the figure, worked out again by the check', async () => {
    const run = await ask('What do 10,000 at 5 % a year become in 3 years, compounded monthly?', { policy: 'self-rag' })
    expect(run).toMatchObject({ status: 'answered' })
    expect(run.answer?.text).toMatch(/11,614\.72/)
    const { trace = [] } = await house.client.run(run.id, { audience: 'desk' })
    expect(trace.filter((line) => line.includes(' compute: ')).join('\n')).toMatch(/11614\.72/)
  })
})

describe('what lies outside', () => {
  it('is declined', async () => {
    expect(await ask('What is the weather in Altamura?', { policy: 'research' })).toMatchObject({
      status: 'declined',
      reason: 'declined.out-of-scope',
    })
  })

  it('is looked for in the web where the policy says so', async () => {
    for (const question of [
      'Whom did the Chicago Bears draft first in the NFL draft?',
      'Who will win the NFL in 2025?',
    ]) {
      expect((await ask(question, { policy: 'adaptive' })).route?.to).toBe('web')
      expect(searches).toContain(question)
    }
  })

  it('and ends by the policy where web search is off', async () => {
    const offline = await openHouse()
    try {
      await offline.add('Agent memory', memory, 'handbook')
      const run = await offline.client.ask(
        { question: 'Who will win the NFL in 2025?', collection: 'handbook', policy: 'adaptive' },
        { waitSeconds: 30 },
      )
      expect(run).toMatchObject({ status: 'declined', reason: 'declined.no-web', route: { to: 'web' } })
    } finally {
      await offline.close()
    }
  })

  it('of what a table reports is said to be not reported', async () => {
    const run = await ask('What was the PUE of Dublin in 2019, and in 2022?')
    expect(run.answer?.text).toMatch(/not report/)
    expect(run.answer?.text).toMatch(/1\.18/)
    expect(new Set(run.grounding?.claims.map(({ verdict }) => verdict))).toEqual(new Set(['supported']))
  })
})
