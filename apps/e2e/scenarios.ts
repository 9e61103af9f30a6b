import type { ModelRequest } from '@plumbline/testing/model-server/request'
import { agreeing, scriptOf, type Case } from '@plumbline/testing/scripted-model/plain-model'
import { messagesOf, readPrompt } from '@plumbline/testing/scripted-model/prompt-content'

export const documents: Record<string, string> = {
  'Agent memory': `# Agent memory

Sensory memory keeps raw input for a few seconds.

Short-term memory holds the working context of one conversation and is lost when it ends.

Long-term memory keeps facts across conversations until they are deleted.`,
  'Data centres': `# Data centres

## Data center PUE efficiency values

| Facility | 2019 | 2022 |
|---|---|---|
| Singapore | 1.18 | 1.20 |
| Singapore (2nd facility) | – | 1.21 |

## Regional average CFE

| Region | 2022 | 2023 |
|---|---|---|
| Asia Pacific | 9% | 12% |
| Europe | 68% | 75% |`,
  'Text in Java': `# Text in Java

A String is immutable: every change makes a new object.

A StringBuffer is mutable, and its methods are synchronized, so that threads may share it.

A StringBuilder is mutable like a StringBuffer, but not synchronized, and so it is faster in one thread.`,
  'The Keeper of Skerry': `# The Keeper of Skerry

In the novel the keeper leaves the lighthouse in the last chapter and opens a school in Vardby.

The stage version of 1931 changed the end: there the keeper drowns in a storm. Many retellings follow the stage version.`,
  Inflation: `# Inflation

Inflation makes money worth less: prices of goods rise, and savings lose value.

Its effects differ between households and businesses.`,
  'Inflation and businesses': `# Inflation and businesses

For businesses, inflation has effects on costs: inputs and wages become more expensive.`,
  Loans: `# Loans

Interest that is compounded monthly is added to what is owed twelve times a year.

Fees are charged for late payment.`,
}

export const asks = {
  headline:
    'Retrieve the data center PUE efficiency values in Singapore 2nd facility in 2019 and 2022. Also retrieve regional average CFE in Asia pacific in 2023',
  weather: "What's the weather like in Altamura?",
  memory: 'What are the types of agent memory?',
  java: 'Compare String, StringBuffer and StringBuilder.',
  event: 'Who won the Harbour Cup this month?',
  plot: 'Why does the keeper drown at the end of The Keeper of Skerry?',
  interest:
    'What is the compound interest on a loan of $10,000 at 5% annual interest rate for 3 years, compounded monthly?',
  broad: 'Tell me about memory.',
  inflation: 'Tell me about the effects of inflation.',
  pue: 'What was the PUE of Singapore in 2019?',
}

type TwoTurns = { policy: string; first: string; then: string; whole: string; says: string; words: string }

/**
 * Conversations of two turns. `whole` is the second question in words that are clear on their own. `says` is the
 * expected answer. `words` are words of the passage that the answer must cite.
 */
export const twoTurns: TwoTurns[] = [
  {
    ...{ policy: 'simple', first: asks.pue, then: 'And in 2022?' },
    ...{
      whole: 'What was the PUE of Singapore in 2022?',
      says: 'The PUE of Singapore was 1.20 in 2022',
      words: '1.20',
    },
  },
  {
    ...{ policy: 'research', first: asks.headline, then: 'And in Europe?' },
    whole: 'What was the regional average CFE of Europe in 2023?',
    ...{ says: 'The regional average CFE of Europe was 75% in 2023', words: 'Asia Pacific' },
  },
  {
    ...{ policy: 'agentic', first: asks.headline, then: 'And in Europe in 2023?' },
    whole: 'What was the regional average CFE of Europe in 2023?',
    ...{ says: 'The regional average CFE of Europe was 75% in 2023', words: 'Asia Pacific' },
  },
  ...['adaptive', 'self-reflective', 'corrective'].map((policy) => ({
    ...{ policy, first: asks.memory, then: 'Explain how the different types of it work?' },
    whole: 'Explain how the different types of agent memory work?',
    ...{ says: 'Sensory memory keeps raw input for a few seconds', words: 'Sensory' },
  })),
  {
    ...{ policy: 'self-rag', first: asks.inflation, then: 'On businesses, please.' },
    whole: 'What are the effects of inflation on businesses?',
    ...{ says: 'For businesses, inputs and wages become more expensive', words: 'inputs and wages' },
  },
]

type Shown = ReturnType<typeof readPrompt>

type Marks = (...words: string[]) => string

const citing =
  ({ passages }: Shown): Marks =>
  (...words) =>
    words.map((word) => `[${passages.find(({ body }) => body.includes(word))?.n ?? '?'}]`).join('')

const answered = (when: string, ...lines: string[]): Case => ({ name: 'answer', when, answer: lines.join('\n') })

const understanding = ['route', 'route-index-or-web', 'route-retrieve-or-not', 'standalone-question']

const twoTurnCases = (by: Marks): Case[] => [
  ...twoTurns.flatMap(({ then, whole, says, words }) => [
    ...understanding.map((name) => ({
      name,
      when: new RegExp(String.raw`<<question \S+>>\n${RegExp.escape(then)}\n`),
      answer: { question: whole, simple: true, queries: [] },
    })),
    answered(whole, `${says} ${by(words)}.`),
  ]),
  answered(asks.pue, `The PUE of Singapore was 1.18 in 2019 ${by('1.18')}.`),
  answered(asks.inflation, `Inflation makes money worth less ${by('worth less')}.`),
  { name: 'check', when: asks.inflation, answer: { tooBroad: true } },
  { name: 'reply', when: asks.inflation, answer: 'Do you mean households or businesses?' },
]

const plannedCases = (by: Marks): Case[] => [
  {
    name: 'plan',
    when: asks.headline,
    answer: {
      steps: [
        'What was the PUE of Singapore (2nd facility) in 2019 and 2022?',
        'What was the regional average CFE of Asia Pacific in 2023?',
      ].map((question) => ({ question, waitsFor: null, queries: [] })),
    },
  },
  answered(
    asks.headline,
    `The PUE of Singapore (2nd facility) was 1.21 in 2022 ${by('2nd facility')}. The table gives no value for 2019 ${by('2nd facility')}. The regional average CFE of Asia Pacific was 12% in 2023 ${by('Asia Pacific')}.`,
  ),
  {
    name: 'plan',
    when: asks.java,
    answer: {
      steps: ['String', 'StringBuffer', 'StringBuilder'].map((name) => ({
        question: `What is a ${name}?`,
        waitsFor: null,
        queries: [],
      })),
    },
  },
  answered(
    asks.java,
    '| Class | Mutable | Synchronized |',
    '|---|---|---|',
    `| String | no ${by('A String is')} | – ${by('A String is')} |`,
    `| StringBuffer | yes | yes ${by('A StringBuffer is')} |`,
    `| StringBuilder | yes | no ${by('A StringBuilder is')} |`,
  ),
]

const singleCases = (by: Marks): Case[] => [
  { name: 'route', when: asks.weather, answer: { to: 'decline', logic: 'It is about the weather.' } },
  {
    name: 'reply',
    when: asks.weather,
    answer: 'I cannot tell what the weather is like: these documents are not about it.',
  },
  answered(
    asks.memory,
    `There are three types of agent memory ${by('Sensory')}:\n`,
    `- sensory memory, which keeps raw input for a few seconds ${by('Sensory')}`,
    `- short-term memory, which holds the working context of one conversation ${by('Short-term')}`,
    `- long-term memory, which keeps facts across conversations ${by('Long-term')}`,
  ),
  { name: 'route', when: asks.event, answer: { to: 'web', queries: ['Harbour Cup winner 2026'] } },
  answered(asks.event, `The Vardby Rowers won the Harbour Cup on 14 November 2026 ${by('14 November')}.`),
  answered(
    asks.plot,
    `In the novel the keeper does not drown but opens a school in Vardby ${by('opens a school')}. That he drowns comes from the stage version of 1931 ${by('1931')}.`,
  ),
  answered(
    asks.interest,
    `You would owe {{ 10000 * (1 + 0.05/12)^(12*3) | 2 }} dollars, as interest is added twelve times a year ${by('twelve times')}.`,
  ),
  answered(asks.broad, `Long-term memory keeps facts across conversations ${by('Long-term')}.`),
  { name: 'check', when: asks.broad, answer: { tooBroad: true } },
  { name: 'reply', when: asks.broad, answer: 'Do you mean sensory, short-term or long-term memory?' },
  {
    name: 'route',
    when: /<<question \S+>>\nLong-term memory\./,
    answer: { question: 'What does long-term memory keep?', simple: true },
  },
]

/** A simulated model whose check supports every claim of its drafts. */
export const scenarioModel = (asked: ModelRequest) => {
  const shown = readPrompt(
    asked.kind === 'chat'
      ? messagesOf(asked)
          .filter(({ role }) => role === 'user')
          .map(({ content }) => content)
          .join('\n\n')
      : '',
  )
  return scriptOf(
    [plannedCases, singleCases, twoTurnCases].flatMap((cases) => cases(citing(shown))),
    agreeing,
  )(asked)
}
