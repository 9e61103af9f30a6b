import {
  anything,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  dictionary,
  oneof,
  record,
  string,
  webQueryParameters,
  type Arbitrary,
} from 'fast-check'
import { Problem } from '@plumbline/contracts'
import { z } from 'zod'

const atOnce = 20

/** A valid body for each route. The fuzzer breaks one field of a body at a time. */
const bodies: Record<string, object> = {
  '/v1/runs': {
    question: 'How?',
    policy: 'standard',
    limits: { rewrites: 1 },
    collection: 'default',
    threadId: 't',
    filters: { a: 'b' },
    metadata: { a: 'b' },
    deadlineMs: 5_000,
  },
  '/v1/runs/{id}/feedback': { useful: true, note: 'x' },
  '/v1/reviews/{runId}/decision': { taskId: 'review.1', decisionId: 'd', action: 'edit', text: 'x', note: 'y' },
  '/v1/reviews/{runId}/assign': { to: 'rita' },
  '/v1/reviews/{runId}/notes': { text: 'x' },
  '/v1/reviews/{runId}/undo': { decisionId: 'd' },
  '/v1/reviews/decisions': { action: 'reject', decisionId: 'd', items: [] },
  '/v1/runs/{runId}/decision': { taskId: 'review.1', decisionId: 'd', action: 'retry', guidance: 'x' },
  '/v1/documents': {
    title: 'x',
    text: 'y',
    name: 'n',
    format: 'text',
    collection: 'c',
    metadata: { a: 'b' },
    date: '2024-06-30',
    supersedes: [],
    access: ['staff'],
  },
  '/v1/collections/{name}': {
    description: 'x',
    chunking: { by: 'headings', levels: [1] },
    retrieval: { bm25: { k: 5 } },
    policy: 'standard',
  },
  '/v1/keys': { name: 'x', roles: ['asker'], access: ['staff'], expiresAt: '2099-01-01T00:00:00Z' },
  '/v1/keys/{id}/rotate': { graceSeconds: 60 },
}

type Case = { method: string; path: string; body: string | undefined; headers: Record<string, string> }

const json = anything({ withNullPrototype: false, maxDepth: 3 }).map(
  (value) =>
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? Number(inner) : inner)) ?? 'null',
)
const spoilt = (good: object): Arbitrary<string> =>
  record({ field: constantFrom(...Object.keys(good), 'extra', '__proto__'), value: json }).map(({ field, value }) =>
    JSON.stringify(good).replace(/\}$/, `,${JSON.stringify(field)}:${value}}`),
  )
const segment = (ids: string[]): Arbitrary<string> =>
  oneof(
    constantFrom(...ids),
    string({ unit: 'binary', maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed())),
    constantFrom('%zz', '..', '%2e%2e', 'x'.repeat(200)),
  )
const query = oneof(
  constant(''),
  webQueryParameters(),
  record({
    name: constantFrom('limit', 'cursor', 'status', 'audience', 'collection'),
    value: string({ maxLength: 20 }),
  }).map(({ name, value }) => `${name}=${encodeURIComponent(value.toWellFormed())}`),
)
const ascii = string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => text.trim())
const headers = oneof(
  constant({}),
  dictionary(
    constantFrom('idempotency-key', 'prefer', 'last-event-id', 'x-reviewer', 'x-api-key', 'accept', 'content-type'),
    ascii,
    { maxKeys: 3 },
  ).map((all) => ({ ...all, prefer: 'wait=0' })),
)
const caseOf = (operations: [string, string][], ids: string[]): Arbitrary<Case> =>
  constantFrom(...operations).chain(([method, template]) => {
    const good = bodies[template]
    const body =
      method === 'get' || method === 'delete'
        ? constant(undefined)
        : oneof(json, string(), ...(good ? [spoilt(good), constant(JSON.stringify(good))] : []))
    const holes = template.split(/\{\w+\}/)
    const path = holes
      .slice(1)
      .reduce<Arbitrary<string>>(
        (before, after) => before.chain((text) => segment(ids).map((one) => `${text}${one}${after}`)),
        constant(holes[0] ?? ''),
      )
    return record({ path, query, body, headers }).map((one) => ({
      method: method.toUpperCase(),
      path: `${one.path}${one.query === '' ? '' : `?${one.query}`}`,
      body: one.body,
      headers: one.headers,
    }))
  })

type Answer = { status: number; text: string; type: string }
const send = async (url: string, key: string | undefined, sent: Case): Promise<Answer> => {
  const { method, path, body, headers: own } = sent
  const gone = new AbortController()
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...own,
    },
    signal: gone.signal,
    ...(body !== undefined && { body }),
  })
  const type = answer.headers.get('content-type') ?? ''
  // For an event stream, read only the headers, because the stream of a run in progress stays open.
  if (type.startsWith('text/event-stream')) gone.abort()
  return { status: answer.status, type, text: gone.signal.aborted ? '' : await answer.text() }
}

const OpenAiError = z.object({ error: z.object({ message: z.string(), type: z.string() }) })

const isProblem = (path: string, { status, type, text }: Answer): boolean => {
  if (type === 'application/json' && /^\/v1\/(chat|models)\b/.test(path))
    return OpenAiError.safeParse(JSON.parse(text)).success
  if (type !== 'application/problem+json') return false
  const problem = Problem.safeParse(JSON.parse(text))
  return problem.success && problem.data.status === status
}

type Fuzzing = {
  url: string
  /** Ids for the paths. Some of them exist, and others do not. */
  ids: string[]
  cases: number
  seed: number
  key?: string
}

const undescribed: [string, string][] = [
  ['get', '/v1/no-such-address/{id}'],
  ['put', '/v1/runs/{id}'],
]

/**
 * Sends random requests to a gateway, and returns the number of responses by status. Throws at the first 5xx response,
 * and at the first error response without a problem body.
 */
export const fuzzApi = async ({ url, ids, cases, seed, key }: Fuzzing): Promise<Map<number, number>> => {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> }
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method): [string, string] => [method, path]),
  )
  const operations = [...described, ...undescribed]
  const statuses = new Map<number, number>()
  const one = async (sent: Case): Promise<void> => {
    const answer = await send(url, key, sent)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status >= 500 || (answer.status >= 400 && !isProblem(sent.path, answer)))
      throw new Error(`${answer.status} ${answer.type} for ${JSON.stringify(sent)}`)
  }
  const many = record(Object.fromEntries(Array.from({ length: atOnce }, (_, n) => [n, caseOf(operations, ids)])))
  await assert(
    asyncProperty(many, async (batch) => void (await Promise.all(Object.values(batch).map(one)))),
    { numRuns: cases / atOnce, endOnFailure: true, seed },
  )
  return statuses
}
