import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ChatCompletion, RunView } from '@plumbline/contracts'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { openHouse, type House } from './house'
import { asks, documents, scenarioModel, twoTurns } from './scenarios'
import { openWebPages, type WebPages } from './web-pages'

const page = {
  title: 'Harbour Cup 2026',
  url: 'https://news.example/harbour-cup',
  content: 'The Harbour Cup was won by the Vardby Rowers on 14 November 2026. They finished in 6 minutes 12 seconds.',
}

const filled = async (env: Record<string, string>): Promise<House> => {
  const house = await openHouse({ env })
  for (const [title, text] of Object.entries(documents)) await house.add(title, text, 'handbook')
  return house
}
type Asking = (question: string, more?: { policy?: string; threadId?: string }) => Promise<RunView>
const askOf =
  (house: () => House): Asking =>
  (question, more = {}) =>
    house().client.ask({ question, collection: 'handbook', ...more }, { waitSeconds: 30 })
const said = (run: RunView): string => run.answer?.text ?? ''
const cited = (run: RunView): string[] => [...new Set(run.answer?.citations.map(({ title }) => title))]

describe('the examples of the source systems, with a model', () => {
  let web: WebPages
  let server: ModelServer
  let house: House
  const ask = askOf(() => house)
  beforeAll(async () => {
    web = await openWebPages(() => [page])
    server = await startModelServer()
    server.script({ kind: 'chat' }, scenarioModel)
    house = await filled({
      OPENAI_BASE_URL: server.openaiUrl,
      OPENAI_API_KEY: 'a-key',
      WEB_SEARCH: 'searxng',
      SEARXNG_URL: web.url,
    })
  })
  afterEach(() => expect(server.faults).toEqual([]))
  afterAll(async () => {
    await house.close()
    await server.close()
    await web.close()
  })

  it('PUE and CFE: two tables in two parallel steps, and an unreported value is named', async () => {
    const run = await ask(asks.headline)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(run.plan.steps.map(({ waitsFor }) => waitsFor)).toEqual([null, null])
    expect(said(run)).toMatch(/1\.21 in 2022 .* no value for 2019 .* 12% in 2023/)
    expect(cited(run)).toEqual(['Data centres'])
    expect(run.grounding?.claims.map(({ verdict }) => verdict)).toEqual(['supported', 'supported', 'supported'])
  })

  it('the weather: a reply that says it cannot tell', async () => {
    const run = await ask(asks.weather)
    expect(run).toMatchObject({ status: 'declined', reason: 'declined.out-of-scope', route: { to: 'decline' } })
    expect(said(run)).toMatch(/^I cannot tell/)
    expect(run.answer?.citations).toEqual([])
  })

  it('the types of agent memory: a list, each of its items cited', async () => {
    const run = await ask(asks.memory)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(said(run).match(/^- (sensory|short-term|long-term) memory.*\[\d\]$/gm)).toHaveLength(3)
    expect(run.grounding?.claims).toHaveLength(4)
  })

  it('a three-way comparison: a step for each side, and a table whose rows are cited', async () => {
    const run = await ask(asks.java)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(run.plan.steps.map(({ question }) => question)).toEqual([
      'What is a String?',
      'What is a StringBuffer?',
      'What is a StringBuilder?',
    ])
    expect(said(run).match(/^\| String.*\[\d\] \|$/gm)).toHaveLength(3)
    expect(cited(run)).toEqual(['Text in Java'])
  })

  it('a recent event: the web is asked what the router wrote, and its page is cited with its address', async () => {
    const run = await ask(asks.event)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', route: { to: 'web' } })
    expect(said(run)).toMatch(/Vardby Rowers/)
    expect(web.searches).toEqual(['Harbour Cup winner 2026'])
    expect(run.answer?.citations.map(({ url }) => url)).toEqual([page.url])
    for (const { fetchedAt } of run.answer?.citations ?? [])
      expect(Date.parse(fetchedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  it('a false claim about a plot: put right, with where it comes from', async () => {
    const run = await ask(asks.plot)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(said(run)).toMatch(/does not drown .*stage version of 1931/)
    expect(cited(run)).toEqual(['The Keeper of Skerry'])
  })

  it('compound interest: the expression is the model’s, the figure is worked out by code', async () => {
    const run = await ask(asks.interest)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(said(run)).toMatch(/11,614\.72 dollars/)
    const { trace = [] } = await house.client.run(run.id, { audience: 'desk' })
    expect(trace.filter((line) => line.includes(' compute: ')).join('\n')).toMatch(
      /a = 10000, b = 0\.05, c = 12, d = 3 gives 11614\.72/,
    )
  })

  it('too broad a question: answered generally, narrowed, and answered in the same thread', async () => {
    const threadId = 'broad'
    const run = await ask(asks.broad, { policy: 'self-rag', threadId })
    expect(run).toMatchObject({ status: 'needs_input', reason: 'needs_input.too-broad' })
    expect(said(run)).toMatch(/keeps facts across conversations/)
    expect(run.answer?.question).toBe('Do you mean sensory, short-term or long-term memory?')
    const next = await ask('Long-term memory.', { threadId })
    expect(next).toMatchObject({ status: 'answered', reason: 'answered.checked', threadId })
    expect(said(next)).toMatch(/keeps facts across conversations/)
  })

  it('a follow-up: understood from its thread, and answered as it stands alone', async () => {
    const threadId = 'follow-up'
    await ask(asks.headline, { threadId })
    const run = await ask('And in Europe?', { threadId })
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', question: 'And in Europe?' })
    expect(said(run)).toMatch(/Europe was 75% in 2023/)
    expect(run.plan.steps.map(({ question }) => question)).toEqual([
      'What was the regional average CFE of Europe in 2023?',
    ])
  })

  const promptsSince = (from: number): string[] =>
    server
      .calls('chat')
      .slice(from)
      .map(({ name }) => name ?? 'text')
  const isUnderstanding = (name: string): boolean => name.startsWith('route') || name === 'standalone-question'

  it.each(twoTurns.map((turns) => [turns.policy, turns] as const))(
    'two turns under %s: the follow-up is made whole by one call before anything else',
    async (policy, { first, then, whole, says }) => {
      const threadId = `two-${policy}`
      const beforeFirst = server.calls('chat').length
      await ask(first, { policy, threadId })
      expect(promptsSince(beforeFirst)).not.toContain('standalone-question')
      const beforeNext = server.calls('chat').length
      const searched = web.searches.length
      const run = await ask(then, { policy, threadId })
      expect(run).toMatchObject({ question: then, standalone: whole, status: 'answered', reason: 'answered.checked' })
      expect(run.plan.steps.map(({ question }) => question)).toEqual([whole])
      expect(said(run)).toContain(says)
      expect(promptsSince(beforeNext).filter(isUnderstanding)).toHaveLength(1)
      expect(isUnderstanding(promptsSince(beforeNext)[0] ?? '')).toBe(true)
      expect(web.searches.slice(searched)).not.toContain(then)
      if (policy === 'self-rag') expect(web.searches).toHaveLength(searched)
    },
  )

  it.each(['self-rag', 'agentic', 'corrective', 'simple'])(
    'two turns through chat completions under %s',
    async (policy) => {
      const { first, then, whole, says } = twoTurns.find((turns) => turns.policy === policy)!
      const completed = async (messages: object[], more: object = {}) => {
        const answer = await fetch(`${house.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            model: policy,
            messages,
            plumbline: { collection: 'handbook', ...more },
          }),
        })
        const completion = (await answer.json()) as ChatCompletion
        expect((await house.client.run(completion.id)).standalone).toBe(whole)
        return completion.choices[0]?.message.content
      }
      const history = [
        { role: 'user', content: first },
        { role: 'assistant', content: 'It was told before.' },
      ]
      expect(await completed([...history, { role: 'user', content: then }])).toContain(says)
      const threadId = `chat-${policy}`
      await ask(first, { policy, threadId })
      expect(await completed([{ role: 'user', content: then }], { threadId })).toContain(says)
    },
  )
})

describe('the examples of the source systems, without a model', () => {
  let house: House
  const ask = askOf(() => house)
  beforeAll(async () => void (house = await filled({})), 60_000)
  afterAll(() => house.close())
  const quoted = ({ answer }: RunView): string => answer?.quotes?.map(({ text }) => text).join('\n') ?? ''

  it.each([
    ['memory', asks.memory, /Short-term memory/],
    ['java', asks.java, /A StringBuilder is mutable/],
    ['plot', asks.plot, /stage version of 1931/],
    ['interest', asks.interest, /compounded monthly/],
    ['broad', asks.broad, /memory/],
  ])('the place that answers is quoted: %s', async (_, question, words) => {
    const run = await ask(question)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.quoted', answer: { kind: 'quoted' } })
    expect(quoted(run)).toMatch(words)
    expect(run.grounding).toBeUndefined()
  })

  it('nothing is declined or claimed to be absent: the weather is searched for', async () => {
    const run = await ask(asks.weather)
    expect(run.route?.to).toBe('research')
    expect(run.status).toMatch(/^(?:answered|unanswered)$/)
    expect(run.reason).not.toBe('unanswered.not-in-documents')
    expect(said(run)).not.toMatch(/degrees|sunny|rain/)
  })

  it('PUE and CFE: the cells are read in two steps, and an empty one is reported as empty', async () => {
    const run = await ask(asks.headline)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', answer: { kind: 'written' } })
    expect(run.plan.steps).toHaveLength(2)
    expect(said(run)).toMatch(/Singapore \(2nd facility\) without a value for 2019.*1\.21.*12%/)
    expect(run.grounding?.claims.map(({ verdict }) => verdict)).toEqual(['supported', 'supported', 'supported'])
    expect(quoted(run)).toMatch(/\| Singapore \(2nd facility\) \|/)
  })

  it('a short follow-up takes over what it lacks from the question before', async () => {
    const threadId = 'offline'
    await ask('What does short-term memory hold?', { threadId })
    const run = await ask('And long-term?', { threadId })
    expect(quoted(run)).toMatch(/Long-term memory keeps facts/)
  })
})
