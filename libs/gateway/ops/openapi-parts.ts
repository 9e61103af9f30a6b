import { problemHead, problemKinds, type ProblemKind } from '../http/problem'
import type { Json } from './openapi-schemas'

/** Descriptions of request headers that several routes accept. A route may describe further headers. */
const requestHeaders: Record<string, string> = {
  'Idempotency-Key': 'The same key and body name the same thing: 1 to 255 visible ASCII characters',
  'Last-Event-ID': 'Continues after this event; 204 if nothing can follow',
  Prefer: 'wait=N answers when the run has ended, or after N seconds',
  'X-Reviewer': 'The deciding person, if several share a key with the role names-reviewers',
}

/** Descriptions of response headers. */
const answerHeaders: Record<string, string> = {
  Location: 'The address of what was made',
  'Preference-Applied': 'How long the answer was waited for',
  'Retry-After': 'Seconds after which it is worth trying again',
  'WWW-Authenticate': 'How a key is sent',
}

export const tags: Record<string, string> = {
  audit: 'Who changed what.',
  batches: 'Many questions at once, from a file.',
  cases: 'Decisions with all that they were made on.',
  chat: 'Questions as clients of OpenAI ask them.',
  collections: 'Groups of documents, with settings for chunking and retrieval.',
  documents: 'The sources of answers.',
  feedback: 'Feedback of askers on answers.',
  flags: 'Answers that somebody called of no use.',
  health: 'Whether the gateway lives and what it can do.',
  keys: 'API keys and their roles.',
  live: 'Changes for open pages.',
  me: 'The identity of a key.',
  models: 'Policies, as clients of OpenAI choose them.',
  ops: 'Monitoring and actions for operators.',
  policies: 'How runs react.',
  reviews: 'Held drafts, and decisions on them.',
  rules: 'The rules for holding answers.',
  runs: 'Questions and their answers.',
  scaler: 'Numbers to scale workers by.',
  schedules: 'Questions that are asked again and again.',
  search: 'Passages without an answer.',
  sources: 'Origins of documents, kept in step.',
  threads: 'Conversations.',
  usage: 'Usage of models, and its cost.',
  webhooks: 'Receivers of events.',
}

export const tagOf = (path: string): string => /^\/v1\/([\w-]+)/.exec(path)?.[1] ?? 'health'

const componentName = (header: string): string => header.replaceAll('-', '')

export const headerParameters = (): Json =>
  Object.fromEntries(
    Object.entries(requestHeaders).map(([header, description]) => [
      componentName(header),
      { name: header, in: 'header', required: false, description, schema: { type: 'string' } },
    ]),
  )

export const headerParameter = (header: string, description: string): Json =>
  Object.hasOwn(requestHeaders, header)
    ? { $ref: `#/components/parameters/${componentName(header)}`, description }
    : { name: header, in: 'header', required: false, description, schema: { type: 'string' } }

export const headerComponents = (): Json =>
  Object.fromEntries(
    Object.entries(answerHeaders).map(([header, description]) => [
      componentName(header),
      { description, schema: { type: 'string' } },
    ]),
  )
const header = (one: string): Json => ({ [one]: { $ref: `#/components/headers/${componentName(one)}` } })

/** Returns the descriptions of the headers of a successful response with this status. */
export const headersOf = (status: number, path: string): Json | undefined => {
  if (path === '/v1/runs' && status === 200) return { ...header('Location'), ...header('Preference-Applied') }
  return status === 202 ? header('Location') : undefined
}

const headersOfProblem: Record<number, string> = {
  401: 'WWW-Authenticate',
  429: 'Retry-After',
  503: 'Retry-After',
}

export const problemExamples = (paths: Json): Json => {
  const said = JSON.stringify(paths)
  const used = problemKinds.filter((kind) => said.includes(`#/components/examples/${kind}"`))
  return Object.fromEntries(
    used.map((kind) => [
      kind,
      { summary: problemHead(kind).title, value: { ...problemHead(kind), detail: 'The fault, and what to do.' } },
    ]),
  )
}

/** Problems of requests that Node refuses before any route is found. */
const beforeRoutes = new Set<ProblemKind>(['headers-too-large'])

/**
 * Returns one response per status, with the problem kinds of that status. `otherForm`: the error schema of a route
 * whose clients expect another error format.
 */
export const problemAnswers = (kinds: readonly ProblemKind[], otherForm?: Json): Json => {
  const byStatus = Map.groupBy([...new Set(kinds)], (kind) => problemHead(kind).status)
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, of]) => {
        const told = headersOfProblem[status]
        return [
          status,
          {
            description: of.map((kind) => problemHead(kind).title).join('; '),
            ...(told !== undefined && { headers: header(told) }),
            content:
              otherForm && !of.every((kind) => beforeRoutes.has(kind))
                ? { 'application/json': { schema: otherForm } }
                : {
                    'application/problem+json': {
                      schema: { $ref: '#/components/schemas/Problem' },
                      examples: Object.fromEntries(of.map((kind) => [kind, { $ref: `#/components/examples/${kind}` }])),
                    },
                  },
          },
        ]
      }),
  )
}
