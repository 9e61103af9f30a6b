import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter } from 'prom-client'
import type { Problem } from '@plumbline/contracts'
import { retryOf } from '@plumbline/platform'
import { Common } from '../ports'

declare module 'fastify' {
  interface FastifyContextConfig {
    errorBody?: (problem: Problem) => object
  }
}

const kinds = {
  'invalid-request': [400, 'The request is not valid'],
  'malformed-body': [400, 'The body cannot be read'],
  'unknown-policy': [400, 'There is no such policy'],
  'unknown-collection': [400, 'There is no such collection'],
  unauthorized: [401, 'A valid API key is needed'],
  'budget-spent': [402, 'The budget is used up'],
  forbidden: [403, 'This key does not have the required permission'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'This address does not support that method'],
  'review-stale': [409, 'This draft is no longer open for a decision'],
  'review-overdue': [409, 'The time for a decision is over'],
  'review-taken': [409, 'Another reviewer has this draft open'],
  'decision-pending': [409, 'Another decision on this draft is pending'],
  'second-approval-needed': [409, 'Another person has to approve this draft'],
  'decision-not-possible': [409, 'This decision is no longer possible'],
  'answer-not-kept': [409, 'This answer cannot be pinned'],
  'thread-busy': [409, 'The thread has another question in progress'],
  'rules-changed': [409, 'Somebody else has changed the rules'],
  'last-admin': [409, 'This is the last key that can create keys'],
  'too-many-keys': [409, 'There are too many keys'],
  'too-many-webhooks': [409, 'There are too many webhooks'],
  'run-ended': [409, 'The run has ended'],
  'document-not-read': [409, 'The document has no text yet'],
  'document-not-failed': [409, 'The document has not failed'],
  'document-from-source': [409, 'A source imports this document'],
  'collection-has-sources': [409, 'Sources import documents into this collection'],
  'source-leaves': [409, 'The source is being removed'],
  'source-has-documents': [409, 'The source has documents in another collection'],
  'too-many-sources': [409, 'There are too many sources'],
  'too-many-batches': [409, 'There are too many batches in progress'],
  'too-many-schedules': [409, 'There are too many schedules'],
  'batch-ended': [409, 'The batch has ended'],
  'body-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'This content type is not supported here'],
  'reason-needed': [422, 'Approving a contradicted claim needs a reason'],
  'unknown-passage': [422, 'The run has no such passage'],
  'unknown-document': [422, 'There is no such document'],
  'idempotency-key-reused': [422, 'This Idempotency-Key was already used with another body'],
  'tenant-limit': [429, 'Your tenant has too many requests of this kind in progress'],
  'too-many-asks': [429, 'Your tenant or key asks too many questions per minute'],
  'too-many-reads': [429, 'Your tenant or key sends too many read requests per minute'],
  'too-many-runs': [429, 'Your tenant has too many runs in progress'],
  'queue-too-long': [429, 'Too many runs of your tenant are waiting already'],
  'too-many-requests': [429, 'Too many requests at once'],
  'headers-too-large': [431, 'The headers are too large'],
  'internal-error': [500, 'The server has an internal error'],
  unavailable: [503, 'The service is unavailable right now'],
} as const satisfies Record<string, [number, string]>

export type ProblemKind = keyof typeof kinds
export const problemKinds = Object.keys(kinds) as ProblemKind[]
const typePrefix = 'urn:plumbline:problem:'
export const problemHead = (kind: ProblemKind): Pick<Problem, 'type' | 'title' | 'status'> => {
  const [status, title] = kinds[kind]
  return { type: `${typePrefix}${kind}`, title, status }
}

type Extra = { errors?: Problem['errors']; retryAfter?: number; headers?: Record<string, string>; cause?: unknown }

export class Refusal extends Error {
  readonly problem: Problem
  readonly retryAfter: number | undefined
  readonly headers: Record<string, string>
  constructor(kind: ProblemKind, detail: string, extra: Extra = {}) {
    super(detail, { cause: extra.cause })
    this.name = 'Refusal'
    this.problem = {
      ...problemHead(kind),
      detail,
      ...(extra.errors && { errors: extra.errors }),
    }
    this.retryAfter = extra.retryAfter
    this.headers = extra.headers ?? {}
  }
}

export const wrongField = (field: string, message: string, kind: ProblemKind = 'invalid-request'): Refusal =>
  new Refusal(kind, `${field}: ${message}`, { errors: [{ field, message }] })

export const notFound = (what: string): Refusal => new Refusal('not-found', `There is no such ${what}.`)

// Recognizes these errors by their messages, because several client libraries throw them.
const connectionLost = /connection is closed|isn't writeable|command timed out|max retries per request|socket closed/i
const networkError = /econnrefused|econnreset|epipe|etimedout|enotfound|^timeouterror$/i
const redisReply = /^(oom|loading|readonly|masterdown|clusterdown|tryagain|misconf|busy) /i
const diskFull = /^(enospc|edquot):/i
const away = [connectionLost, networkError, redisReply, diskFull]

const messagesOf = (error: unknown, depth = 0): string[] => {
  if (!(error instanceof Error) || depth > 4) return []
  const inner =
    error instanceof AggregateError ? error.errors.flatMap((one: unknown) => messagesOf(one, depth + 1)) : []
  return [error.message, error.name, ...inner, ...messagesOf(error.cause, depth + 1)]
}

export const isUnavailable = (error: unknown): boolean =>
  retryOf(error) === 'later' || messagesOf(error).some((message) => away.some((said) => said.test(message)))

/** Returns undefined while the store is unavailable, so that a waiting request can try again. */
export const unlessUnavailable = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (isUnavailable(error)) return undefined
    throw error
  }
}

const byStatus: Record<number, [ProblemKind, string]> = {
  400: [
    'malformed-body',
    'The request cannot be read. Send JSON in UTF-8, with a Content-Length that matches the body.',
  ],
  404: ['not-found', 'There is nothing at this address. /openapi.json lists all addresses.'],
  408: ['malformed-body', 'The request took too long to arrive. Send the request again.'],
  413: [
    'body-too-large',
    'The body is larger than this address allows. Send a smaller body, or send a long document as a file (multipart/form-data).',
  ],
  414: ['not-found', 'The address is too long, so there is nothing at it. /openapi.json lists all addresses.'],
  415: ['unsupported-media-type', 'Send application/json, or multipart/form-data for a document.'],
  503: ['unavailable', 'The gateway is stopping. Send the request again.'],
}

const statusOf = (error: unknown): number | undefined => {
  if (error instanceof HttpException) return error.getStatus()
  const code = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return typeof code === 'number' ? code : undefined
}

/** Returns the refusal for any error. If the error is unexpected, the refusal contains no details of it. */
export const refusalOf = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error
  if (isUnavailable(error))
    return new Refusal(
      'unavailable',
      'The store cannot be reached. Accepted questions and documents are not lost. Send the request again.',
      {
        retryAfter: 2,
        cause: error,
      },
    )
  const status = statusOf(error)
  const known = status === undefined ? undefined : byStatus[status]
  if (known) return new Refusal(known[0], known[1], { cause: error, ...(status === 503 && { retryAfter: 1 }) })
  if (status !== undefined && status >= 400 && status < 500)
    return new Refusal('invalid-request', 'The request cannot be read. Check it against /openapi.json.', {
      cause: error,
    })
  return new Refusal(
    'internal-error',
    'The server has an internal error, which has been logged. Try again later, or ask the operator to look into the log.',
    { cause: error },
  )
}

@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly refusals: Counter<'kind'>

  constructor(private readonly common: Common) {
    this.refusals = new Counter({
      name: 'plumbline_refusals_total',
      help: 'Refused requests, by kind of problem. Limits, quotas and budgets are included.',
      labelNames: ['kind'],
      registers: [common.registry],
    })
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp()
    const reply = http.getResponse<FastifyReply>()
    const { errorBody } = http.getRequest<FastifyRequest>().routeOptions.config
    const { problem, retryAfter, headers } = refusalOf(error)
    this.refusals.inc({ kind: problem.type.slice(typePrefix.length) })
    if (problem.status >= 500)
      this.common.log.warn({ err: error, requestId: reply.request.id }, `answered ${problem.status}`)
    if (reply.raw.headersSent) return void reply.raw.destroy()
    for (const [name, value] of Object.entries(headers)) void reply.header(name, value)
    if (retryAfter !== undefined) void reply.header('retry-after', `${retryAfter}`)
    if (problem.status === 401) void reply.header('www-authenticate', 'Bearer')
    // Sent as bytes, because Fastify would add a charset to a string.
    void reply
      .status(problem.status)
      .header('content-type', errorBody ? 'application/json' : 'application/problem+json')
      .send(Buffer.from(JSON.stringify(errorBody ? errorBody(problem) : problem)))
  }
}
