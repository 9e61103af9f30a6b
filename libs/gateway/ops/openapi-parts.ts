import { problemHead, problemKinds, type ProblemKind } from '../http/problem'
import type { Json } from './openapi-schemas'

/** Headers that requests carry. A route may say more of its own. */
const requestHeaders: Record<string, string> = {
  'Idempotency-Key': 'The same key and body name the same thing: 1 to 255 visible ASCII characters',
  'Last-Event-ID': 'Goes on after this event; 204 when nothing can follow',
  Prefer: 'wait=N answers when the run has ended, or after N seconds',
  'X-Reviewer': 'Who decides, where several people share a key with the role names-reviewers',
}

/** Headers that answers carry. */
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
  collections: 'What documents stand in: how they are cut and found.',
  documents: 'What answers are made from.',
  feedback: 'What askers said about answers.',
  flags: 'Answers that somebody called of no use.',
  health: 'Whether the gateway lives and what it can do.',
  keys: 'Who may come in, and as what.',
  live: 'What a page shows, as it changes.',
  me: 'Who a key is.',
  models: 'Policies, as clients of OpenAI choose them.',
  ops: 'What operators see and do.',
  policies: 'How runs react.',
  reviews: 'What is held, and decisions about it.',
  rules: 'What a tenant holds for its reviewers.',
  runs: 'Questions and their answers.',
  scaler: 'What workers are scaled by.',
  schedules: 'Questions that are asked again and again.',
  search: 'Passages without an answer.',
  sources: 'Where documents are fetched from and kept in step with.',
  threads: 'Conversations.',
  usage: 'What models did, and what it cost.',
  webhooks: 'Who is told of what happens.',
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

/** Headers of a usual answer, by its status. */
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
      { summary: problemHead(kind).title, value: { ...problemHead(kind), detail: 'What was wrong, and what to do.' } },
    ]),
  )
}

/** Node refuses such a request before any route is known. */
const beforeRoutes = new Set<ProblemKind>(['headers-too-large'])

/** One answer per status: the kinds of problems that it may be, in the form of another API where a schema of it is given. */
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
