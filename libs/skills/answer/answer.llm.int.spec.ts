import type { Claim, Evidence } from '@plumbline/contracts'
import { answer } from '@plumbline/testing/model-server/answer'
import { describe, expect, it } from 'vitest'
import { callWith, dwellTime, harbours, history, pilots, useModel } from '../skill/fixtures.spec'
import type { Answer, DraftPart } from '../skill/skill'
import { llmAnswer } from './answer.llm'
import { llmShortAnswer } from './short-answer.llm'

const model = useModel()
const question = 'How long does boarding last?'
const answered = (fields: Partial<Parameters<Answer>[0]> = {}, evidence: Evidence[] = harbours) =>
  llmAnswer(model.chat, 12_000)(
    { question, steps: [{ question, passageIds: [] }], evidence, maxSentences: 4, ...fields },
    callWith(),
  )
const says = (...texts: string[]): void => model.server().script(() => true, ...texts)
const written = (text: string, ...citations: [number, string][]) => ({
  kind: 'written',
  text,
  citations: citations.map(([n, passageId]) => ({ n, passageId })),
})
const boarding = 'Boarding lasts 20–30 minutes in calm weather [3].'
const failed: Claim = {
  text: 'Aldwick has 90 cranes.',
  kind: 'number',
  verdict: 'contradicted',
  reason: 'It says 12.',
  passageId: null,
}
const userOf = (n: number): string => model.sent()[n]?.[1]?.content ?? ''

describe('an answer by a model', () => {
  it('is rewritten with supported and failed claims as advice', async () => {
    says(boarding)
    const steps = [
      { question: 'One?', passageIds: [pilots.id, history.id] },
      { question: 'Two?', passageIds: [] },
    ]
    const keep = ['The first quay of Aldwick was built in 1874.']
    expect(await answered({ keep, avoid: [failed], steps, guidance: 'Name the weather.' })).toEqual(
      written(boarding, [3, 'pilots']),
    )
    const [shown] = model.shown()
    expect(shown?.one('stood')).toBe('- The first quay of Aldwick was built in 1874.')
    expect(shown?.one('did not stand')).toBe('- Aldwick has 90 cranes. (It says 12.)')
    expect(shown?.one('guidance')).toBe('Name the weather.')
    expect(shown?.one('steps')).toBe('- One? (passages 2, 3)\n- Two? (no passages)')
  })

  it('shares the beginning of its request, with all passages, with the other drafts of its run', async () => {
    says(boarding)
    const graded = harbours.map((passage, at) => ({
      ...passage,
      grade: { relevant: true, level: 'high' as const, confidence: at / 4, reason: '' },
    }))
    const numbers = harbours.map(({ id }) => id)
    await answered({ numbers })
    await answered({ numbers, keep: [boarding], avoid: [failed], guidance: 'Name the weather.' }, graded.reverse())
    const [first, second] = [userOf(0), userOf(1)]
    expect(model.systems()[0]).toBe(model.systems()[1])
    const differs = Array.from(first).findIndex((char, at) => char !== second[at])
    const shared = first.slice(0, differs)
    for (const { text } of harbours) expect(shared).toContain(text)
    expect(shared).toContain(`\n${question}\n`)
    expect(second.slice(differs)).toContain('did not stand')
  })

  it('has missing citations repaired once, and leaves the rest to the check', async () => {
    says('Boarding takes a while. It lasts 30 minutes [9].', boarding)
    expect(await answered()).toEqual(written(boarding, [3, 'pilots']))
    expect(model.sent()[1]?.at(-1)?.content).toMatch(/cited by: Boarding takes a while\.\n.*cited by: It lasts/)
    says('Boarding takes a while.')
    expect(await answered()).toEqual(written('Boarding takes a while.'))
    expect(model.sent()).toHaveLength(4)
  })

  it('is shortened once if it has too many sentences, unless its reader has a part of it', async () => {
    const long = `${boarding} Pilots climb a ladder [3]. They do not work in storms [3].`
    says(long, boarding)
    expect(await answered({ maxSentences: 2 })).toEqual(written(boarding, [3, 'pilots']))
    expect(model.sent()[1]?.at(-1)?.content).toContain('It has 3 sentences outside lists and tables; at most 2')

    says(long)
    expect(await answered({ maxSentences: 2 })).toEqual(written(long, [3, 'pilots']))
    expect(await answered({ maxSentences: 2, endParts: () => Promise.resolve(true) })).toMatchObject({ text: long })
    expect(await answered({ maxSentences: 2, begun: 'Pilots board [1].' })).toMatchObject({ text: long })
    expect(model.sent()).toHaveLength(6)
  })

  it('may have any number of items and rows', async () => {
    const list = `There are three kinds:\n\n- Sea pilots [3]\n- Basin pilots [3]\n- Dock pilots [3]\n\n| Harbour | Cranes |\n|---|---|\n| Aldwick | 12 [1] |\n\n${boarding}`
    says(list)
    expect(await answered({ maxSentences: 1 })).toMatchObject({ text: list })
    expect(model.sent()).toHaveLength(1)
  })

  it('leaves calculations to code, and repairs an expression with a number without a source', async () => {
    says('Both have {{ 12 + 40 }} cranes [1].', 'Both have {{ 12 + 4 }} cranes [1].')
    const draft = await answered({ question: 'How many cranes do Aldwick and Brenholm have?' }, [dwellTime])
    expect(draft).toMatchObject({ text: 'Both have 16 cranes [1].', workings: [{ formula: 'a + b', result: 16 }] })
    expect(model.sent()[1]?.at(-1)?.content).toContain('the number 40 stands neither')
  })

  it('streams what it returns, and repairs no streamed text', async () => {
    says(`Boarding takes a while. ${boarding} That is {{ 20 * 2 }} at most [3].`)
    let told = ''
    const draft = await answered({ onDelta: (piece) => (told += piece) })
    expect(draft).toMatchObject({ text: told })
    expect(told).toBe(`Boarding takes a while. ${boarding} That is 40 at most [3].`)
    expect(model.sent()).toHaveLength(1)
  })

  it('reports closed parts while the model writes, with figures worked out, until a part has a fault', async () => {
    const slow = (text: string) => {
      says(text)
      model.server().pace({ firstTokenMs: 10, tokensPerSecond: 60 }, { kind: 'chat' })
    }
    const partsOf = async (text: string): Promise<DraftPart[]> => {
      const parts: DraftPart[] = []
      slow(text)
      await answered({ onPart: (part) => parts.push(part) })
      return parts
    }
    const parts = await partsOf(
      `${boarding} That is {{ 20 * 2 }} at most [3]. Pilots climb a ladder to board [3]. It is steep [3].`,
    )
    const last = parts.at(-1)
    expect(last?.text.startsWith(`${boarding} That is 40 at most [3].`)).toBe(true)
    expect(last).toMatchObject({ citations: [{ n: 3, passageId: 'pilots' }], workings: [{ result: 40 }] })
    expect(last?.ends).toContain(boarding.length)
    expect(last?.ends.at(-1)).toBe(last?.text.length)
    const faulty = await partsOf(
      `${boarding} Nobody knows the reason. Pilots climb a ladder to board [3]. It is steep [3].`,
    )
    expect(faulty.every(({ text }) => text === boarding)).toBe(true)
  })

  it('continues the text that its reader has, with the same passage numbers', async () => {
    const begun = 'Pilots board by a ladder [1].'
    says('Boarding lasts 20–30 minutes [1].')
    const draft = await answered({ begun, numbers: ['pilots'] })
    expect(draft).toEqual(written('Boarding lasts 20–30 minutes [1].', [1, 'pilots']))
    expect(model.shown()[0]?.one('sent')).toBe(begun)
    expect(model.shown()[0]?.one('passage 1')).toContain(pilots.text)
    expect(model.shown()[0]?.task).toContain('Write only what follows it')
    says('NOTHING')
    expect(await answered({ begun, numbers: ['pilots'] })).toEqual(written(''))
    expect(model.sent()).toHaveLength(2)
  })

  it('can be written from each passage alone, and joins the best drafts', async () => {
    model.server().script(/ladder/, boarding)
    model.server().script(/Maria Lund/, 'The first quay was built in 1874 [2].')
    model.server().script(/Cranes/, 'The passage does not tell how long boarding lasts [1].')
    const rank = (usefulness: string) => answer.json({ support: 'full', usefulness })
    model.server().script({ name: 'rank-draft', text: /ladder/ }, rank('high'))
    model.server().script({ name: 'rank-draft', text: /Maria Lund/ }, rank('high'))
    model.server().script({ name: 'rank-draft', text: /Cranes/ }, rank('low'))
    expect(await answered({ perPassage: true }, [dwellTime, history, pilots])).toEqual(
      written(`The first quay was built in 1874 [2].\n\n${boarding}`, [2, 'history'], [3, 'pilots']),
    )
    expect(model.shown().map(({ passages }) => passages.length)).toEqual([1, 1, 1, 1, 1, 1])
  })

  it('is refused without passages, or if the model refuses', async () => {
    expect(await answered({}, [])).toMatchObject({ kind: 'refused' })
    expect(model.sent()).toEqual([])
    model.server().script(() => true, answer.refused('Not this.'))
    expect(await answered()).toEqual({ kind: 'refused', reason: 'Not this.' })
    expect(await answered({ perPassage: true })).toEqual({ kind: 'refused', reason: 'Not this.' })
  })
})

const found = (evidence = [history]) =>
  llmShortAnswer(model.chat, 12_000)({ question: 'Who built the first quay?', evidence }, callWith())
const saysShort = (value: string | null): void => model.server().script('short-answer', answer.json({ value }))

describe('a short answer by a model', () => {
  it('is a few words that fit into the next question', async () => {
    saysShort(' Maria\nLund ')
    expect(await found()).toBe('Maria Lund')
    expect(model.shown()[0]?.one('passage 1')).toContain(history.text)
  })

  it.each([null, ' ', 'x'.repeat(201)])('is null if the value is missing, blank or too long: %s', async (value) => {
    saysShort(value)
    expect(await found()).toBeNull()
  })

  it('is null without passages, or if the model refuses', async () => {
    expect(await found([])).toBeNull()
    expect(model.sent()).toEqual([])
    model.server().script('short-answer', answer.refused('No.'))
    expect(await found()).toBeNull()
  })
})
