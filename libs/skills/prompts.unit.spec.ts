import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { answerPrompt, rankPrompt } from './answer/answer.llm'
import { shortAnswerPrompt } from './answer/short-answer.llm'
import { checkPartPrompt, checkPrompt } from './check/check.prompt'
import { fillLookupPrompt } from './fill-lookup/fill-lookup.llm'
import { gradeEvidencePrompt } from './grade-evidence/grade-evidence.llm'
import { planPrompt } from './plan/plan.llm'
import { refineEvidencePrompt } from './refine-evidence/refine-evidence.llm'
import { splitIntoStrips } from './refine-evidence/refine-evidence.offline'
import { replyPrompt } from './reply/reply.llm'
import { retryQueryPrompt } from './retry-query/retry-query.llm'
import { routePrompt } from './route/route.llm'
import { standaloneQuestionPrompt } from './route/standalone-question.llm'
import { dwellTime, history, pilots, shorePower } from './skill/fixtures.spec'
import { messagesFor, numberPassages, type Prompt, promptName } from './skill/prompt'
import { partPrompt, wholePrompt } from './summarise/summarise.llm'

const question = 'How long does boarding last?'
const harbours = [shorePower, dwellTime, pilots, history]
const collections = [{ name: 'harbours', description: 'Harbours of the north.' }]
const claim = {
  text: 'Boarding lasts 30 minutes.',
  kind: 'number',
  verdict: 'supported',
  reason: 'It says so.',
  passageId: 'pilots',
} as const
const workings = [
  { what: 'Twice', formula: 'a * 2', inputs: [{ name: 'a', value: 2, passageId: 'pilots' }], result: 4 },
]
const grade = {
  relevant: true,
  level: 'high',
  confidence: 1,
  reason: '',
  date: '2020',
  outdated: true,
  authority: 'low',
} as const
const passages = numberPassages([{ ...pilots, grade }, ...harbours])
const answering = {
  question,
  steps: [
    { question, passageIds: ['pilots'] },
    { question: 'Why?', passageIds: [] },
  ],
  passages,
  maxSentences: 3,
  keep: ['Ships have pilots.'],
  avoid: [claim],
  guidance: 'Be brief.',
}
const turn = { question: 'Who boards?', text: 'Pilots [1].' }
const long = { question: 'Who?', text: 'Pilots [1]. '.repeat(90) }
const thread = { turns: [turn], summary: 'Ships.', askedBack: true, hasPassages: true }
const routing = { question, collections, webOn: true, mode: 'scope' as const, queries: 1, knowledge: false, thread }
const lookups = [
  { name: 'tides', description: 'The next tides.', params: [] },
  {
    name: 'calls',
    description: 'Ship calls.',
    params: [
      { name: 'since', description: 'The first day.', type: 'date' as const },
      { name: 'harbour', description: 'The harbour.', values: ['Aldwick'] },
      { name: 'ship', description: 'The ship.', pattern: 'IMO' },
    ],
  },
]

const withoutDate = (text: string): string => text.replace(/Today is \w+, \d{4}-\d\d-\d\d\./, 'Today.')
const written = <In>(prompt: Prompt<In>, ...inputs: In[]): [string, string] => [
  promptName(prompt),
  createHash('sha256')
    .update(
      JSON.stringify(inputs.map((input) => messagesFor(prompt, input).map(({ content }) => withoutDate(content)))),
    )
    .digest('hex')
    .slice(0, 8),
]

/** Hashes of every prompt as sent. If a prompt changes, raise its version in its file, then update its hash here. */
const sent = Object.fromEntries([
  written(
    routePrompt('scope'),
    { ...routing, lookups },
    { ...routing, webOn: false, queries: 2, thread: { ...thread, turns: [] } },
  ),
  written(routePrompt('index-or-web'), routing),
  written(routePrompt('retrieve-or-not'), routing),
  written(
    standaloneQuestionPrompt,
    { question, thread },
    { question, thread: { ...thread, askedBack: false, turns: Array.from({ length: 9 }, () => long) } },
  ),
  written(
    planPrompt,
    { question, collections, maxSteps: 4, queries: 1 },
    { question, collections, maxSteps: 4, queries: 1, lookups },
  ),
  written(retryQueryPrompt, {
    question,
    triedQueries: ['boarding'],
    failedPassages: [{ text: 'Soup.', title: 'Menu', level: 'low', reason: 'It is soup.' }],
    reason: 'Nothing was found.',
  }),
  written(
    gradeEvidencePrompt,
    ...(['lenient', 'normal', 'strict'] as const).map((strictness) => ({
      question,
      passages: numberPassages([{ ...pilots, query: 'ladder' }]),
      strictness,
      against: strictness === 'strict' ? ('query' as const) : ('step' as const),
    })),
  ),
  written(refineEvidencePrompt, { question, passage: pilots, strips: splitIntoStrips(pilots) }),
  written(
    answerPrompt,
    answering,
    { question, steps: [], passages, maxSentences: 1 },
    { ...answering, begun: 'Ships have pilots [1].' },
  ),
  written(rankPrompt, { ...answering, draft: 'It lasts.' }),
  written(shortAnswerPrompt, { question, passages }),
  written(
    replyPrompt,
    ...(['general', 'clarify', 'narrow', 'decline', 'knowledge'] as const).map((to) => ({
      ...{ question, to, logic: 'Small talk.', collections, dimensions: ['ladders'] },
    })),
  ),
  written(
    checkPrompt,
    { question, steps: [question, 'Why?'], passages, workings, claims: [{ ...claim, marks: [1, 2] }], known: 0 },
    { question, steps: [], passages, workings: [], claims: [{ ...claim, marks: [] }], collections, known: 1 },
  ),
  written(checkPartPrompt, {
    question,
    steps: [question, 'Why?'],
    passages,
    workings,
    claims: [claim, claim].map((each) => ({ ...each, marks: [1, 2] })),
    known: 1,
  }),
  written(fillLookupPrompt, { question, lookups }, { question, lookups, isChosen: true }),
  written(partPrompt, { question, passages: harbours, first: 3, most: 4 }),
  written(wholePrompt, { question, points: [{ text: 'Ships.', passages: [1, 2] }], most: 4 }),
])

describe('prompts', () => {
  it('match the hash that is pinned for their version', () =>
    expect(sent).toEqual({
      'answer@5': 'edac22a3',
      'check-part@3': 'ef27d3d1',
      'check@7': '67deab83',
      'fill-lookup@3': '2bee7291',
      'grade-evidence@5': 'af463fbf',
      'plan@5': '655888be',
      'rank-draft@2': 'c12bff40',
      'refine-evidence@3': '8b79cd5f',
      'reply@3': 'f9221b61',
      'rewrite-query@4': '4ff012d5',
      'route-index-or-web@5': '7a82528b',
      'route-retrieve-or-not@5': '8a256cf3',
      'route@5': 'c178597d',
      'short-answer@1': 'bdd2346a',
      'standalone-question@2': 'd155e542',
      'summarise-part@4': '3ea2abe7',
      'summarise-whole@4': 'e8806b33',
    }))

  it('have instructions without the question, the documents or the date', () => {
    const [system] = messagesFor(answerPrompt, answering)
    const other = { question: '', steps: [], passages: [], maxSentences: 1 }
    expect(system?.content).toBe(messagesFor(answerPrompt, other)[0]?.content)
    expect(system?.content).not.toMatch(/Today is/)
  })

  it('state the date after all quotes', () => {
    const [, user] = messagesFor(answerPrompt, answering)
    expect(user?.content).toMatch(
      /<<end \w+>>\n\nToday is \w+, \d{4}-\d\d-\d\d\. Answer the question in at most 3 sentences/,
    )
  })
})
