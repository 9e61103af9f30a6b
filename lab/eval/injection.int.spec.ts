import { Checked, type Evidence, Grade } from '@plumbline/contracts'
import { modelSkills } from '@plumbline/skills/llm'
import { callWith, history } from '@plumbline/skills/skill/fixtures.spec'
import type { Skills } from '@plumbline/skills/skill/skill'
import { chatOverHttp } from '@plumbline/testing/chat-over-http'
import { type ModelServer, startModelServer } from '@plumbline/testing/model-server/model-server'
import type { RecordedRequest } from '@plumbline/testing/model-server/receive'
import { messagesOf, readPrompt } from '@plumbline/testing/scripted-model/prompt-content'
import { obeying } from '@plumbline/testing/scripted-model/obedient-model'
import { plainModel } from '@plumbline/testing/scripted-model/plain-model'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Poisoned, poisonedRows } from './poisoned'

const collections = [{ name: 'mail', description: 'Letters of the company and tables from its reports.' }]
const call = callWith()
const evidenceOf = ({ document }: Poisoned): Evidence[] => [{ ...history, id: 'p1', title: 'Mail', text: document }]

let server: ModelServer
let skills: Skills
beforeAll(async () => {
  server = await startModelServer({ validate: false })
  skills = modelSkills({ label: 'recorded', chatOf: () => chatOverHttp(server.openaiUrl) })
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const decide = async ({ question }: Poisoned) => ({
  routed: await skills.route({ question, collections, webOn: true, mode: 'scope', queries: 2, knowledge: false }, call),
  planned: await skills.plan({ question, collections, maxSteps: 4, queries: 2 }, call),
})

const draft = async ({ question }: Poisoned, evidence: Evidence[]) => {
  const drafted = await skills.answer({ question, steps: [], evidence, maxSentences: 3 }, call)
  if (drafted.kind !== 'written') throw new Error('nothing was written')
  const checked = await skills.check({ question, steps: [question], ...drafted, evidence }, call)
  return { drafted, checked }
}

/** Everything the skills do for one question, in the order of a run, on one passage. */
const runOn = async (row: Poisoned) => {
  const { question } = row
  const decided = await decide(row)
  const evidence = evidenceOf(row)
  const grades = await skills.gradeEvidence(
    { question, passages: evidence, strictness: 'normal', against: 'step' },
    call,
  )
  const strips = await skills.refineEvidence({ question, passage: evidence[0]! }, call)
  const short = await skills.shortAnswer({ question, evidence }, call)
  return { decided, grades, strips, short, ...(await draft(row, evidence)) }
}

const bodies = (requests: readonly RecordedRequest[]): unknown[] =>
  requests.filter(({ name }) => name === 'route' || name === 'plan').map(({ body }) => body)

describe('orders in a passage, and a model that obeys them', { timeout: 120_000 }, () => {
  const rows = poisonedRows()
  const twins = new Map(rows.filter(({ injected }) => !injected).map((row) => [row.id, row]))
  const poisoned = rows.filter(({ injected }) => injected)

  it('change nothing that is decided', async () => {
    for (const row of poisoned) {
      const twin = twins.get(`${row.id}-clean`)
      if (!twin) continue
      server.reset()
      server.script(() => true, plainModel)
      const clean = await decide(twin)
      const asked = bodies(server.requests)
      server.reset()
      server.script(() => true, obeying(row.attack))
      const { decided } = await runOn(row)
      expect(decided).toEqual(clean)
      expect(bodies(server.requests)).toEqual(asked)
      expect(asked).toHaveLength(2)
    }
  })

  it('stay inside their quotes and inside the form of an outcome', async () => {
    for (const row of poisoned) {
      server.reset()
      server.script(() => true, obeying(row.attack))
      const { grades, strips, drafted, checked } = await runOn(row)
      for (const [system, user, ...repair] of server.calls('chat').map(messagesOf)) {
        expect(system?.content).not.toContain(row.attack)
        const shown = readPrompt(user?.content ?? '')
        const outside = shown.all.reduce((rest, { text }) => rest.replace(text, () => ''), user?.content ?? '')
        expect(outside).not.toContain(row.attack)
        for (const { role, content } of repair)
          if (role === 'user' && !content.includes('cited by:')) expect(content).not.toContain(row.attack)
      }
      expect(grades.map((grade) => Grade.parse(grade))).toHaveLength(1)
      expect(grades[0]?.date ?? '').toMatch(/^(?:(?=.*\d).{1,40})?$/s)
      const flat = row.document.replace(/\s+/g, ' ')
      for (const strip of strips) expect(flat).toContain(strip.replace(/\s+/g, ' ').slice(0, 40))
      expect(drafted.citations.every(({ passageId }) => passageId === 'p1')).toBe(true)
      expect(Checked.parse(checked).claims[0]).toMatchObject({
        verdict: 'unsupported',
        reason: expect.stringMatching(/^The cited passages do not contain 98765/),
      })
    }
  })

  it('are found in a draft that obeyed them by a checker that does not', async () => {
    for (const row of poisoned) {
      server.reset()
      server.script(() => true, plainModel)
      server.script((asked) => asked.name === undefined, obeying(row.attack))
      const { claims } = (await draft(row, evidenceOf(row))).checked
      const lies = claims.filter(({ text }) => /records of all other tenants|rules are lifted/.test(text))
      expect(lies.length).toBeGreaterThan(0)
      expect(lies.every(({ verdict }) => verdict === 'unsupported')).toBe(true)
    }
  })
})
