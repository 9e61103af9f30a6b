import {
  Ask,
  AskBeside,
  type Citation,
  Outcome,
  type RunView,
  Search,
  SearchResults,
  type StreamEvent,
} from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import { z } from 'zod'
import { hasEnded, whereOf } from '../present/answer'
import { addressOf, shownOf } from '../present/outcome'

/** So long a call waits where it does not say: most clients give up after a minute. */
const usualWaitSeconds = 45
const waitSeconds = z
  .number()
  .int()
  .min(0)
  .max(3_600)
  .describe('Wait so many seconds at most for the end; a run that takes longer is told as running, and get_run has it')

const { policy, metadata } = Ask.shape
const { collection, threadId, filters, access } = AskBeside.shape
export const AskInput = z.strictObject({
  question: Ask.shape.question.describe('One question, in full'),
  collection: collection.describe('Ask only this collection of documents; all that the key may read without it'),
  policy: policy.describe('How the question is worked on, by name; leave it out for the usual way'),
  threadId: threadId.describe(
    'Questions with the same id are one conversation: the next goes on from the answers before',
  ),
  filters: filters.describe('Only documents whose metadata say this'),
  access: access.describe('Read with these access tags only'),
  metadata,
  waitSeconds: waitSeconds.default(usualWaitSeconds),
})
export type AskInput = z.infer<typeof AskInput>

export const GetRunInput = z.strictObject({
  runId: z.string().describe('The runId that ask gave'),
  waitSeconds: waitSeconds.default(0),
})

/** What a tool tells of a run: what is to be shown of it, and where it stands. */
const RunOutput = Outcome.extend({ text: z.string() })

const usual = { openWorldHint: false, destructiveHint: false }
/** What the server offers, in the words that a model reads. */
export const tools = {
  ask: {
    title: 'Ask the documents',
    description:
      'Answers a question from the documents of this Plumbline. Every statement is checked against the passage it cites. ' +
      'An answer that does not stand is held until a person has looked: then status is parked, text says so, and nothing of the draft is shown. ' +
      'Anything but status answered is no answer.',
    inputSchema: AskInput,
    outputSchema: RunOutput,
    annotations: usual,
  },
  get_run: {
    title: 'Look at a run',
    description: 'Where a question that was asked before stands, and its answer once that is released.',
    inputSchema: GetRunInput,
    outputSchema: RunOutput,
    annotations: { ...usual, readOnlyHint: true },
  },
  search_passages: {
    title: 'Search the documents',
    description:
      'The passages of the documents that come closest to words, best first. Nothing is written and nothing checked.',
    inputSchema: Search,
    outputSchema: SearchResults,
    annotations: { ...usual, readOnlyHint: true },
  },
} as const

type Told = { content: { type: 'text'; text: string }[]; structuredContent: Record<string, unknown> }
const told = (text: string, schema: z.ZodType, value: object): Told => ({
  content: [{ type: 'text', text }],
  structuredContent: schema.parse(value) as Record<string, unknown>,
})

const sourceLine = (citation: Citation, origin: string): string =>
  `[${citation.n}] ${whereOf(citation)}: ${addressOf(citation, origin)}`

/** A client may show nothing but text: it says where the run stands, too. */
export const toldRun = (run: Run, view: RunView, origin: string): Told => {
  const { text, outcome } = shownOf(run, view)
  const { runId, status, reason, citations } = outcome
  const sources = citations.map((citation) => sourceLine(citation, origin)).join('\n')
  const state = `Run ${runId}: ${reason ?? status}.${hasEnded(run) ? '' : ' Ask get_run later.'}`
  return told([text, sources, state].filter(Boolean).join('\n\n'), RunOutput, { ...outcome, text })
}

export const toldPassages = (results: SearchResults): Told =>
  told(
    results.items.map((passage, at) => `${at + 1}. ${whereOf(passage)}\n${passage.text}`).join('\n\n') ||
      'No passage was found.',
    SearchResults,
    results,
  )

/** What a client may show while a run goes on; null for what says nothing to who waits. */
export const progressOf = (event: StreamEvent): string | null => {
  switch (event.type) {
    case 'routed':
      return `Route: ${event.to}`
    case 'planned':
      return `Planned: ${event.steps.length} ${event.steps.length === 1 ? 'step' : 'steps'}`
    case 'step-opened':
      return `Step ${event.step}: ${event.question}`
    case 'researched':
      return `Step ${event.step}: ${event.found} ${event.found === 1 ? 'passage' : 'passages'}`
    case 'writing':
      return `Writing draft ${event.draft}`
    case 'checking':
      return `Checking draft ${event.draft}`
    default:
      return null
  }
}
