import type { Evidence } from '@plumbline/contracts'
import {
  admitted,
  after,
  asking,
  bad,
  checked,
  checking,
  claim,
  drafted,
  found,
  good,
  graded,
  passage,
  planned,
  routed,
  toResearch,
  ungrounded,
} from '@plumbline/flow/spec/run-fixtures.spec'
import { offlineSkills } from '@plumbline/skills/offline'
import type { Answer, Drafted, RefineEvidence, Reply, Summarise } from '@plumbline/skills/skill/skill'
import { describe, expect, it } from 'vitest'
import { catalog, workOn } from '../work.spec'
import { generate } from './generate'
import { reply } from './reply'

const mars: Evidence = {
  ...passage('p1'),
  title: 'Mars',
  text: 'Mars is the fourth planet. Mars has a mass of 0.642 × 10^24 kg. It is red.',
}
const moons: Evidence = {
  ...passage('p2'),
  title: 'Moons',
  text: 'Mars has two moons. Its moons are Phobos and Deimos.',
}
const question = 'What is the mass of Mars? How many moons does Mars have?'
const steps = ['What is the mass of Mars?', 'How many moons does Mars have?'] as const
const writing = (fields: Parameters<typeof asking>[0] = {}) =>
  after(
    asking(fields, { question }),
    admitted,
    toResearch,
    planned(...steps),
    found('1.1', ['p1']),
    graded('1.1', { p1: good }),
    found('2.1', ['p2']),
    graded('2.1', { p2: good }),
  )

type AnswerInput = Parameters<Answer>[0]
const recording =
  (into: AnswerInput[]): Answer =>
  (input, call) => {
    into.push(input)
    return offlineSkills.answer(input, call)
  }

const skillsWith = (answer: Answer) => ({ skills: { ...offlineSkills, answer } })

describe('generate', () => {
  it('hands on what was written, with the rows it was read from', async () => {
    const written: Drafted = {
      kind: 'written',
      text: 'Mars has a mass of 0.642 × 10^24 kg [1].',
      citations: [{ n: 1, passageId: 'p1' }],
      quotes: [{ n: 1, passageId: 'p1', text: 'Mars has a mass of 0.642 × 10^24 kg.', marks: [] }],
    }
    const { kind: _, ...rest } = written
    expect(
      await generate(skillsWith(() => Promise.resolve(written)))(workOn(writing(), 'generate', [mars, moons])),
    ).toEqual({ outcome: 'drafted', ...rest })
  })

  it('hands on what was quoted, and that a model should have written', async () => {
    const result = await generate({ skills: offlineSkills })(workOn(writing(), 'generate', [mars, moons]))
    expect(result).toMatchObject({ outcome: 'quoted', quotes: [{ passageId: 'p1' }, { passageId: 'p2' }] })
    expect(result).not.toHaveProperty('degraded')
    const quotes = [{ n: 1, passageId: 'p1', text: 'It is red.', marks: [] }]
    const degraded: Answer = () => Promise.resolve({ kind: 'quoted', quotes, degraded: true })
    expect(await generate(skillsWith(degraded))(workOn(writing(), 'generate', [mars]))).toEqual({
      outcome: 'quoted',
      quotes,
      degraded: true,
    })
  })

  it('gives each step the passages that passed for it', async () => {
    const given: AnswerInput[] = []
    const run = after(
      asking({}, { question }),
      admitted,
      toResearch,
      planned(...steps),
      found('1.1', ['p1', 'p2']),
      graded('1.1', { p1: good, p2: bad }),
      found('2.1', ['p2']),
      graded('2.1', { p2: good }),
    )
    await generate({ skills: { ...offlineSkills, answer: recording(given) } })(workOn(run, 'generate', [mars, moons]))
    expect(given[0]).toMatchObject({
      question,
      steps: [
        { question: steps[0], passageIds: ['p1'] },
        { question: steps[1], passageIds: ['p2'] },
      ],
      maxSentences: 8,
    })
    expect(given[0]).toMatchObject({ keep: undefined })
    expect(given[0]).not.toHaveProperty('onDelta')
  })

  it('answers from one version of a document that was replaced between two steps', async () => {
    const given: AnswerInput[] = []
    const before = { ...mars, documentId: 'd', version: 'v1' }
    const now = { ...moons, documentId: 'd', version: 'v2' }
    const other = { ...passage('p3'), documentId: 'e', version: 'v1' }
    const run = after(
      asking({}, { question }),
      admitted,
      toResearch,
      planned(...steps),
      found('1.1', ['p1', 'p3']),
      graded('1.1', { p1: good, p3: good }),
      found('2.1', ['p2']),
      graded('2.1', { p2: good }),
    )
    await generate({ skills: { ...offlineSkills, answer: recording(given) } })(
      workOn(run, 'generate', [before, other, now]),
    )
    expect(given[0]?.evidence.map(({ id }) => id)).toEqual(['p3', 'p2'])
    expect(given[0]?.steps.map(({ passageIds }) => passageIds)).toEqual([['p3'], ['p2']])
  })

  it('passes on what to keep and what to avoid', async () => {
    const given: AnswerInput[] = []
    const again = after(checking(), ungrounded(1))
    await generate({ skills: { ...offlineSkills, answer: recording(given) } })(workOn(again, 'generate', [mars]))
    expect(given[0]?.keep).toEqual(['A supported claim.'])
    expect(given[0]?.avoid).toMatchObject([{ verdict: 'unsupported' }])
  })

  it('hands on that a model refused, with its reason', async () => {
    const refusing: Answer = () => Promise.resolve({ kind: 'refused', reason: 'Not this.' })
    expect(
      await generate({ skills: { ...offlineSkills, answer: refusing } })(workOn(writing(), 'generate', [mars, moons])),
    ).toEqual({ outcome: 'refused', reason: 'Not this.' })
  })

  it('asks for a draft per passage where the policy does', async () => {
    const given: AnswerInput[] = []
    const draft = (drafts: 'one' | 'per-passage') =>
      generate({ skills: { ...offlineSkills, answer: recording(given) } })(
        workOn(writing({ drafts }), 'generate', [mars, moons]),
      )
    await draft('one')
    await draft('per-passage')
    expect(given.map(({ perPassage }) => perPassage)).toEqual([false, true])
  })

  it('puts the text that the asker has read in front of a later draft, with its citations and workings', async () => {
    const shown = {
      text: 'Mars has {2} moons [2].',
      citations: [{ n: 2, passageId: 'p2' }],
      claims: [],
      workings: [{ what: 'Mars has {2} moons.', formula: 'a', inputs: [], result: 2 }],
      numbers: ['', 'p2'],
      checkKey: 'key',
    }
    const given: AnswerInput[] = []
    const says = (text: string) => (input: AnswerInput) => {
      given.push(input)
      return Promise.resolve({ kind: 'written' as const, text, citations: [{ n: 1, passageId: 'p1' }] })
    }
    const { run } = writing()
    const draft = (text: string) =>
      generate(skillsWith(says(text)))(workOn({ ...writing(), run: { ...run, shown } }, 'generate', [mars, moons]))
    expect(await draft('It is red [1].')).toEqual({
      outcome: 'drafted',
      text: `${shown.text}\n\nIt is red [1].`,
      citations: [
        { n: 1, passageId: 'p1' },
        { n: 2, passageId: 'p2' },
      ],
      workings: shown.workings,
    })
    expect(await draft('')).toMatchObject({ text: shown.text, citations: shown.citations })
    expect(given[0]).toMatchObject({ begun: shown.text, numbers: ['p1', 'p2'] })
    expect(given[0]).not.toHaveProperty('onPart')
  })

  it('streams only where the policy lets drafts be seen', async () => {
    const seen = { deltas: [] as string[], calls: [] }
    const speaking: Answer = (input) => {
      input.onDelta?.('Mars')
      return Promise.resolve({ kind: 'written', text: 'Mars.', citations: [] })
    }
    const draft = (streamDrafts: 'on' | 'off') =>
      generate({ skills: { ...offlineSkills, answer: speaking } })(
        workOn(writing({ streamDrafts }), 'generate', [mars, moons], seen),
      )
    await draft('off')
    expect(seen.deltas).toEqual([])
    await draft('on')
    expect(seen.deltas).toEqual(['Mars'])
  })

  it('sums up a document in its order, and answers like any question once that has failed', async () => {
    const seen: string[] = []
    const writtenBy = (by: string): Drafted => ({ kind: 'written', text: `By ${by} [1].`, citations: [] })
    const skills = {
      ...offlineSkills,
      summarise: ({ passages }: Parameters<Summarise>[0]) => {
        seen.push(...passages.map(({ id }) => id))
        return Promise.resolve(writtenBy('summarise'))
      },
      answer: () => Promise.resolve(writtenBy('answer')),
    }
    const toSumUp = routed({ outcome: 'summarise', logic: 'A summary.', collections: ['planets'], title: 'Mars' })
    const given = after(asking({}, { question: 'Sum up Mars' }), admitted, toSumUp, found('1.1', ['p2', 'p1']))
    const parts = [
      { ...moons, position: 1 },
      { ...mars, position: 0 },
    ]
    const first = await generate({ skills })(workOn(given, 'generate', parts))
    expect(first).toMatchObject({ outcome: 'drafted', text: 'By summarise [1].' })
    expect(seen).toEqual(['p1', 'p2'])
    const again = after(given, drafted(1), ungrounded(1))
    expect(await generate({ skills })(workOn(again, 'generate', parts))).toMatchObject({ text: 'By answer [1].' })
  })

  it('says how much of a long document a summary is based on, also when the summary is written again', async () => {
    const written = { kind: 'written' as const, text: 'Mars is red [1].', citations: [{ n: 1, passageId: 'p1' }] }
    const given: AnswerInput[] = []
    const skills = {
      ...offlineSkills,
      summarise: () => Promise.resolve(written),
      answer: (input: AnswerInput) => Promise.resolve((given.push(input), written)),
    }
    const toSumUp = routed({ outcome: 'summarise', logic: 'A summary.', collections: ['planets'], title: 'Mars' })
    const read = [mars, moons].map((each, at) => ({ ...each, documentId: 'mars', position: 9 * at, scores: {} }))
    const toRead = found('1.1', [], { passages: read })
    const summing = after(asking({}, { question: 'Sum up Mars' }), admitted, toSumUp, toRead)
    const coverage = 'This summary is based on 2 of the 10 passages of the document.'
    const text = `Mars is red [1].\n\n${coverage}`
    expect(await generate({ skills })(workOn(summing, 'generate', read))).toMatchObject({ text })

    const whole = [mars, moons].map((each, position) => ({ ...each, documentId: 'mars', position, scores: {} }))
    expect(await generate({ skills })(workOn(summing, 'generate', whole))).toMatchObject({ text: 'Mars is red [1].' })

    const claims = [claim('supported', { text: coverage }), claim('unsupported', { text: 'Mars is blue.' })]
    const again = after(summing, drafted(1, text), checked(1, { claims, support: 'partial' }))
    expect(await generate({ skills })(workOn(again, 'generate', read))).toMatchObject({ text })
    expect(given[0]?.keep).toEqual([])
  })

  it('cuts evidence to its strips where the policy asks for it, and keeps whole what has none', async () => {
    const given: AnswerInput[] = []
    const strips: RefineEvidence = ({ passage }) =>
      Promise.resolve(passage.id === 'p1' ? ['Mars has a mass of 0.642 × 10^24 kg.'] : [])
    const skills = { ...offlineSkills, answer: recording(given), refineEvidence: strips }
    await generate({ skills })(workOn(writing({ refineEvidence: 'on' }), 'generate', [mars, moons]))
    expect(given[0]?.evidence.map(({ text }) => text)).toEqual(['Mars has a mass of 0.642 × 10^24 kg.', moons.text])
  })
})

const greeted = () =>
  workOn(
    after(asking({}, { question: 'Hello!' }), admitted, routed({ outcome: 'reply', logic: 'Small talk.' })),
    'reply',
  )
const saying = (said: Awaited<ReturnType<Reply>>) => reply({ skills: { reply: () => Promise.resolve(said) }, catalog })

describe('reply', () => {
  it('tells what the run’s collections hold, in fixed words', async () => {
    const result = await reply({ skills: offlineSkills, catalog })(greeted())
    expect(result).toEqual({
      outcome: 'replied',
      text: expect.stringContaining('planets: The planets of the solar system'),
    })
  })

  it('marks what a model wrote, and hands on that it refused', async () => {
    expect(await saying({ text: 'Good day.', written: true })(greeted())).toEqual({
      outcome: 'replied',
      text: 'Good day.',
      written: true,
    })
    expect(await saying({ text: '', refused: 'Not this.' })(greeted())).toEqual({
      outcome: 'refused',
      reason: 'Not this.',
    })
  })

  it('says what it is for, why, and what was read, to ask between', async () => {
    const seen: unknown[] = []
    const hearing: Reply = (input) => {
      seen.push(input)
      return Promise.resolve({ text: 'Which?' })
    }
    const toClarify = routed({ outcome: 'clarify', logic: 'It names nothing.', question: 'What was its mass?' })
    const vague = after(asking({}, { question: 'And its mass?' }), admitted, toClarify)
    await reply({ skills: { reply: hearing }, catalog })(workOn(vague, 'reply'))
    const broad = after(checking({ whenTooBroad: 'ask' }), checked(1, { tooBroad: true }))
    await reply({ skills: { reply: hearing }, catalog })(workOn(broad, 'reply'))
    const why = { tooBroad: true, broadWhy: 'It leaves open which planet.', dimensions: ['Mass', 'Moons'] }
    const dimensioned = after(checking({ whenTooBroad: 'ask' }), checked(1, why))
    await reply({ skills: { reply: hearing }, catalog })(workOn(dimensioned, 'reply'))
    expect(seen).toMatchObject([
      {
        question: 'What was its mass?',
        to: 'clarify',
        logic: 'It names nothing.',
        collections: [{ name: 'planets' }, { name: 'memory' }],
        dimensions: [],
      },
      { question: 'How heavy is Mars?', to: 'narrow', dimensions: ['Title p1'] },
      { to: 'narrow', logic: 'It leaves open which planet.', dimensions: ['Mass', 'Moons'] },
    ])
  })
})
