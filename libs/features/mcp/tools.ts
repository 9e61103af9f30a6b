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
import { hasEnded, passagePosition } from '@plumbline/gateway/present/answer'
import { addressOf, responseTextOf } from '@plumbline/gateway/present/outcome'

/** The default wait of a call. Most clients time out after a minute, so it must stay below a minute. */
const usualWaitSeconds = 45
const waitSeconds = z
  .number()
  .int()
  .min(0)
  .max(3_600)
  .describe(
    'The longest wait for the end of the run, in seconds. A run that takes longer is returned as running; call get_run later',
  )

const { policy, metadata } = Ask.shape
const { collection, threadId, filters, access } = AskBeside.shape
export const AskInput = z.strictObject({
  question: Ask.shape.question.describe('One question, in full'),
  collection: collection.describe(
    'Search only this collection of documents, or only the collections of a list. Without it, all collections that the key may read are searched',
  ),
  policy: policy.describe(
    'The name of the policy, which sets how the question is answered. Omit it to use the default policy',
  ),
  threadId: threadId.describe(
    'Questions with the same id form one conversation. Each question continues from the earlier answers',
  ),
  filters: filters.describe('Use only documents with these metadata values'),
  access: access.describe('Use only these access tags of the key'),
  metadata,
  waitSeconds: waitSeconds.default(usualWaitSeconds),
})
export type AskInput = z.infer<typeof AskInput>

export const GetRunInput = z.strictObject({
  runId: z.string().describe('The runId that the tool ask returned'),
  waitSeconds: waitSeconds.default(0),
})

const RunOutput = Outcome.extend({ text: z.string() })

const usual = { openWorldHint: false, destructiveHint: false }
export const tools = {
  ask: {
    title: 'Ask the documents',
    description:
      'Answers a question from the documents of this Plumbline. Every statement is checked against the passage it cites. ' +
      'An ungrounded answer is held for a reviewer. Then status is parked, text says so, and no part of the draft is shown. ' +
      'With any other status than answered, there is no answer.',
    inputSchema: AskInput,
    outputSchema: RunOutput,
    annotations: usual,
  },
  get_run: {
    title: 'Get a run',
    description: 'Returns the status of an earlier question, and its answer once it is released.',
    inputSchema: GetRunInput,
    outputSchema: RunOutput,
    annotations: { ...usual, readOnlyHint: true },
  },
  search_passages: {
    title: 'Search the documents',
    description:
      'Returns the passages of the documents that are closest to the given words, best first. No answer is written or checked.',
    inputSchema: Search,
    outputSchema: SearchResults,
    annotations: { ...usual, readOnlyHint: true },
  },
} as const

type ToolResult = { content: { type: 'text'; text: string }[]; structuredContent: Record<string, unknown> }
const toolResult = (text: string, schema: z.ZodType, value: object): ToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: schema.parse(value) as Record<string, unknown>,
})

const sourceLine = (citation: Citation, origin: string): string =>
  `[${citation.n}] ${passagePosition(citation)}: ${addressOf(citation, origin)}`

/** Returns the result of a run for a client. The text repeats the status, because some clients show only the text. */
export const runResult = (run: Run, view: RunView, origin: string): ToolResult => {
  const { text, outcome } = responseTextOf(run, view)
  const { runId, status, reason, citations } = outcome
  const sources = citations.map((citation) => sourceLine(citation, origin)).join('\n')
  const state = `Run ${runId}: ${reason ?? status}.${hasEnded(run) ? '' : ' Call get_run later.'}`
  return toolResult([text, sources, state].filter(Boolean).join('\n\n'), RunOutput, { ...outcome, text })
}

export const passagesResult = (results: SearchResults): ToolResult =>
  toolResult(
    [
      results.items.map((passage, at) => `${at + 1}. ${passagePosition(passage)}\n${passage.text}`).join('\n\n') ||
        'No passage was found.',
      results.elsewhere === undefined ? '' : `The collection ${results.elsewhere} contains words of the query.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    SearchResults,
    results,
  )

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
