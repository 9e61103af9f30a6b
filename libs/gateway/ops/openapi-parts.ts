import { problemHead, problemKinds, type ProblemKind } from '../http/problem'
import type { Json } from './openapi-schemas'

const requestHeaders: Record<string, string> = {
  'Idempotency-Key':
    'A key of 1 to 255 visible ASCII characters. A repeated request with the same key and body has no further effect',
  'Last-Event-ID': 'The stream continues after the event with this id. The response is 204 if no event can follow',
  Prefer: 'With wait=N, the response is sent when the run has ended or after N seconds',
  'X-Reviewer': 'The name of the deciding person, if several people share a key with the role names-reviewers',
}

const answerHeaders: Record<string, string> = {
  Location: 'The address of the created resource',
  'Preference-Applied': 'The wait that was applied, as wait=N',
  'Retry-After': 'The number of seconds to wait before the next try',
  'WWW-Authenticate': 'The authentication scheme: how to send a key',
}

export const tags: Record<string, string> = {
  audit: 'The audit log: who changed what.',
  batches: 'Many questions at once, from a file.',
  cases: 'Stored decisions, with the drafts and the evidence that they were based on.',
  chat: 'Questions in the format of the OpenAI API.',
  collections: 'Groups of documents, with settings for chunking and retrieval.',
  documents: 'The sources of answers.',
  feedback: 'Feedback of askers on answers.',
  flags: 'Answers that somebody marked as not useful.',
  health: 'Health checks, metrics and the description of the API.',
  keys: 'API keys and their roles.',
  live: 'A stream of changes, for pages that are open in a browser.',
  me: 'The identity and permissions of the caller.',
  models: 'The policies, as models in the format of the OpenAI API.',
  ops: 'Monitoring and actions for operators.',
  policies: 'The policies, which decide how runs are checked, retried, held and released.',
  reviews: 'Held drafts, and decisions on them.',
  rules: 'The rules for holding answers.',
  runs: 'Questions and their answers.',
  scaler: 'The number of open tasks, for autoscalers of workers.',
  schedules: 'Questions that are repeated on a schedule or when a document changes.',
  search: 'Search for passages, without an answer.',
  sources: 'Folders, buckets, websites and repositories whose documents are kept in sync.',
  threads: 'Conversations.',
  usage: 'The usage of models and its cost.',
  webhooks: 'Webhooks, which send events to other systems.',
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
      {
        summary: problemHead(kind).title,
        value: { ...problemHead(kind), detail: 'The problem, and what to do about it.' },
      },
    ]),
  )
}

/** Problems of requests that Node refuses before any route is found. */
const beforeRoutes = new Set<ProblemKind>(['headers-too-large'])

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
