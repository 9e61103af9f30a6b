import { expect, it } from 'vitest'
import type { Evidence } from '@plumbline/contracts'
import { offlineSkills } from '../offline'
import type { Call } from '../skill'
import { restsOnUnanswered, unanswered, withoutUnanswered } from './unanswered'

const first = 'Which planet has the moon Titan?'
const planet = unanswered(first)
const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const passageOf = (id: string, text: string): Evidence => ({
  id,
  documentId: id,
  collection: 'c',
  title: id,
  text,
  headingPath: [],
  position: 0,
  scores: {},
})

it.each([
  [`What is the orbital period of ${planet}?`, true],
  [`How many employees does ${planet} have?`, true],
  [`When was ${unanswered(`Who founded ${planet}?`)} born?`, true],
  [`Humboldt Peak, in ${planet}, is part of what mountain range?`, false],
  ['What is the orbital period of Titan?', false],
])('%s rests on what was not found: %s', (question, rests) => {
  expect(restsOnUnanswered(question)).toBe(rests)
})

it('leaves what is asked of it', () => {
  expect(withoutUnanswered(`When was ${unanswered(`Who founded ${planet}?`)} born?`)).toBe('When was   born?')
})

const moons = passageOf(
  'moons',
  '| Moon | Mean radius (km) | Orbital period (days) |\n|---|---|---|\n| Titan | 2,574.7 | 15.95 |\n| Io | 1,821.5 | 1.77 |',
)
const firms = passageOf(
  'firms',
  'Norvik Energy was founded in 1987 and has 420 employees. Halden Power was founded in 1954.',
)
it.each([
  [
    'in a table',
    'What is the orbital period of the planet that has the moon Titan?',
    first,
    'What is the orbital period of #',
    moons,
    '15.95',
  ],
  [
    'in a text',
    'How many employees does the owner of Norvik Energy have?',
    'Who is the owner of Norvik Energy?',
    'How many employees does # have',
    firms,
    '420',
  ],
])(
  'what stands %s of the thing that is known is not told of the one that is not',
  async (_, question, hop, second, passage, value) => {
    const next = second.replace('#', unanswered(hop))
    const steps = [
      { question: hop, passageIds: [] },
      { question: `${next}?`, passageIds: [passage.id] },
    ]
    const { text, citations } = await offlineSkills.answer(
      { question, steps: steps.slice(1), evidence: [passage], maxSentences: 4 },
      call,
    )
    expect(text).toBe(`The documents do not answer the question “${next}” [1].`)

    const claims = await offlineSkills.checkClaims({ question, text, citations, evidence: [passage] }, call)
    expect(claims.map(({ verdict }) => verdict)).toEqual(['supported'])
    const { parts } = await offlineSkills.rateUsefulness(
      { question, steps: steps.map((step) => step.question), text, claims, evidence: [passage] },
      call,
    )
    expect(parts.at(-1)).toEqual({ what: next, outcome: 'not-in-documents' })
    expect(text).not.toContain(value)
  },
)
