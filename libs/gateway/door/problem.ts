import type { Problem } from '@plumbline/contracts'

const kinds = {
  'invalid-request': [400, 'The request is not valid'],
  'malformed-body': [400, 'The body cannot be read'],
  'unknown-policy': [400, 'No such policy'],
  'unknown-collection': [400, 'No such collection'],
  unauthorized: [401, 'A valid API key is needed'],
  forbidden: [403, 'This key may not do that'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'This address does not take that method'],
  'review-stale': [409, 'This draft is no longer open for a decision'],
  'review-taken': [409, 'Another reviewer has this draft open'],
  'decision-not-possible': [409, 'The run cannot go that way any more'],
  'thread-busy': [409, 'The thread has another question under way'],
  'run-ended': [409, 'The run has ended'],
  'document-not-read': [409, 'There is no text of this document yet'],
  'document-not-failed': [409, 'The document has not failed'],
  'body-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'This content type is not read here'],
  'unknown-document': [422, 'No such document'],
  'idempotency-key-reused': [422, 'This Idempotency-Key came with another body before'],
  'budget-spent': [429, 'The budget is used up'],
  'too-many-requests': [429, 'Too many requests at once'],
  'headers-too-large': [431, 'The headers are too large'],
  'internal-error': [500, 'Something went wrong here'],
  unavailable: [503, 'Not available right now'],
} as const satisfies Record<string, [number, string]>

export type ProblemKind = keyof typeof kinds
type Extra = { errors?: Problem['errors']; retryAfter?: number; cause?: unknown }

/** A "no" to the caller, as RFC 9457 problem details. The types are stable. */
export class Refusal extends Error {
  readonly problem: Problem
  readonly retryAfter: number | undefined
  constructor(kind: ProblemKind, detail: string, extra: Extra = {}) {
    super(detail, { cause: extra.cause })
    this.name = 'Refusal'
    const [status, title] = kinds[kind]
    this.problem = {
      type: `urn:plumbline:problem:${kind}`,
      title,
      status,
      detail,
      ...(extra.errors && { errors: extra.errors }),
    }
    this.retryAfter = extra.retryAfter
  }
}

export const wrongField = (field: string, message: string, kind: ProblemKind = 'invalid-request'): Refusal =>
  new Refusal(kind, `${field}: ${message}`, { errors: [{ field, message }] })

export const notFound = (what: string): Refusal => new Refusal('not-found', `There is no such ${what}.`)
