import type { Evidence } from '@plumbline/contracts'
import { Checked, Grade, PlannedStep } from '@plumbline/contracts'
import { piecesOf } from '@plumbline/knowledge/claims'
import { describe, expect, it } from 'vitest'
import { harbours, pilots, shorePower } from './eval/harbours'
import type { Call, CollectionCard, Drafted, Skills } from './skill'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const aborted: Call = { ...call, signal: AbortSignal.abort() }
const question = 'How long does boarding last in calm weather?'
const collections: CollectionCard[] = [{ name: 'harbours', description: 'Harbours, their pilots and cranes.' }]
const routing = { question, collections, webOn: true, mode: 'scope' as const, queries: 1, knowledge: false }
const planning = { question, collections, maxSteps: 3, queries: 1 }
const grading = { question, passages: harbours, strictness: 'normal' as const, against: 'step' as const }
const drafting = { question, steps: [{ question, passageIds: [pilots.id] }], evidence: harbours, maxSentences: 4 }
const rewriting = { question, triedQueries: [question], failedPassages: [], reason: 'Nothing was found.' }
const replying = { question: 'Hello!', to: 'general' as const, logic: 'Small talk.', collections }
const checking = {
  question,
  steps: [question],
  text: 'Boarding lasts 20–30 minutes in calm weather [1]. It is a pleasure.',
  citations: [{ n: 1, passageId: pilots.id }],
  evidence: harbours,
}
const flat = (text: string): string => text.replace(/\s+/g, ' ')

/** A draft cites what it was given with every piece of it; quotes stand in their passages word for word. */
const expectSound = (drafted: Drafted, evidence: Evidence[]): void => {
  if (drafted.kind === 'refused') throw new Error(drafted.reason)
  const textOf = (id: string): string => evidence.find((passage) => passage.id === id)?.text ?? ''
  if (drafted.kind === 'quoted') {
    expect(drafted.quotes.length).toBeGreaterThan(0)
    for (const { text, passageId } of drafted.quotes)
      for (const line of text.split('\n')) if (line.trim() !== '…') expect(textOf(passageId)).toContain(line)
    return
  }
  const pieces = piecesOf(drafted.text)
  expect(pieces.length).toBeGreaterThan(0)
  for (const { marks } of pieces) {
    const ids = drafted.citations.flatMap(({ n, passageId }) => (marks.includes(n) ? [passageId] : []))
    expect(ids.length).toBeGreaterThan(0)
    for (const id of ids) expect(textOf(id)).not.toBe('')
  }
}

/** What every form of every skill keeps to, whoever does its work. */
export const skillsContract = (label: string, skills: () => Skills): void => {
  describe(`before a draft: ${label}`, () => {
    it('a question about the collections is researched, and nothing is named that was not shown', async () => {
      const routed = await skills().route(routing, call)
      expect(routed).toMatchObject({ to: 'research', collections: ['harbours'], logic: expect.stringMatching(/./) })
    })

    it('a plan has at most so many steps, and a step waits only for an earlier one, whose place it holds', async () => {
      const asked = 'Who built the quay of Aldwick? How long does boarding last? How many cranes has New Corvey?'
      const { steps } = await skills().plan({ ...planning, question: asked }, call)
      expect(steps.length).toBeGreaterThan(0)
      expect(steps.length).toBeLessThanOrEqual(3)
      for (const [at, step] of steps.map((step) => PlannedStep.parse(step)).entries()) {
        expect(step.question.trim()).not.toBe('')
        expect(step.waitsFor ?? 0).toBeLessThanOrEqual(at)
        if (step.waitsFor !== null) expect(step.question).toContain(`#${step.waitsFor}`)
      }
    })

    it('a query is new, or there is none', async () => {
      const rewritten = await skills().rewriteQuery(rewriting, call)
      if (rewritten)
        expect(rewritten).toMatchObject({ query: expect.not.stringMatching(question), strategy: expect.anything() })
      const tried = [question, ...(rewritten ? [rewritten.query] : [])]
      const again = await skills().rewriteQuery({ ...rewriting, triedQueries: tried }, call)
      expect(tried).not.toContain(again?.query)
    })

    it('each passage has one grade, in its order', async () => {
      const grades = await skills().gradeEvidence(grading, call)
      expect(grades).toHaveLength(harbours.length)
      for (const grade of grades) Grade.parse(grade)
      expect(grades[harbours.indexOf(pilots)]).toMatchObject({ relevant: true })
      for (const { relevant, level } of grades) if (!relevant) expect(level).toBe('low')
    })

    it('strips are a passage’s own words, in its order', async () => {
      const strips = await skills().refineEvidence({ question, passage: pilots }, call)
      const places = strips.map((strip) => flat(pilots.text).indexOf(flat(strip)))
      expect(strips.join(' ')).toContain('20–30 minutes')
      expect(places.every((place) => place >= 0)).toBe(true)
      expect(places).toEqual([...places].sort((a, b) => a - b))
    })
  })

  describe(`a draft: ${label}`, () => {
    it('cites with every piece what it was given, or quotes it word for word', async () => {
      expectSound(await skills().answer(drafting, call), harbours)
      expectSound(await skills().answer({ ...drafting, evidence: [shorePower, pilots] }, call), harbours)
    })

    it('of a whole document does so too, in several places', async () => {
      const asked = 'Sum up the harbour report.'
      const summary = await skills().summarise({ question: asked, passages: harbours, maxSentences: 6 }, call)
      expectSound(summary, harbours)
    })

    it('streams just what it returns', async () => {
      let told = ''
      const drafted = await skills().answer({ ...drafting, onDelta: (piece) => (told += piece) }, call)
      expect(told).toBe(drafted.kind === 'written' ? drafted.text : '')
    })

    it('has a short form that is a few words, or none', async () => {
      const short = await skills().shortAnswer({ question, evidence: harbours }, call)
      if (short !== null) expect(short).toMatch(/^\S.{0,199}$/)
      expect(await skills().shortAnswer({ question, evidence: [] }, call)).toBeNull()
    })

    it('is checked piece by piece, and what cites nothing does not stand', async () => {
      const checked = Checked.parse(await skills().check(checking, call))
      expect(checked.claims.map(({ text, verdict }) => [text, verdict])).toEqual([
        ['Boarding lasts 20–30 minutes in calm weather.', 'supported'],
        ['It is a pleasure.', 'unsupported'],
      ])
      expect(checked).toMatchObject({ support: 'partial', tooBroad: false })
    })
  })

  it(`a reply says what can be asked about: ${label}`, async () => {
    expect((await skills().reply(replying, call)).text).not.toBe('')
    for (const to of ['clarify', 'narrow', 'decline', 'knowledge'] as const)
      expect((await skills().reply({ ...replying, to }, call)).text).not.toBe('')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['route', () => skills().route(routing, aborted)],
    ['plan', () => skills().plan(planning, aborted)],
    ['rewriteQuery', () => skills().rewriteQuery(rewriting, aborted)],
    ['gradeEvidence', () => skills().gradeEvidence(grading, aborted)],
    ['refineEvidence', () => skills().refineEvidence({ question, passage: pilots }, aborted)],
    ['answer', () => skills().answer(drafting, aborted)],
    ['shortAnswer', () => skills().shortAnswer({ question, evidence: harbours }, aborted)],
    ['reply', () => skills().reply(replying, aborted)],
    ['check', () => skills().check(checking, aborted)],
    ['summarise', () => skills().summarise({ question, passages: harbours, maxSentences: 3 }, aborted)],
  ])(`%s stops when it is told to: ${label}`, async (_, stopped) => {
    await expect(stopped()).rejects.toThrow()
  })
}
