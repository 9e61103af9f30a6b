import { HttpException } from '@nestjs/common'
import { retryOf } from '@plumbline/platform'
import { Refusal, type ProblemKind } from './problem'

// What a lost, full or loading Redis says, a slow index or a full disk, by shape: these come from several clients.
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

export const isAway = (error: unknown): boolean =>
  retryOf(error) === 'later' || messagesOf(error).some((message) => away.some((said) => said.test(message)))

const byStatus: Record<number, [ProblemKind, string]> = {
  400: ['malformed-body', 'The request cannot be read. Send UTF-8 JSON that fits its Content-Length.'],
  404: ['not-found', 'There is nothing at this address. /openapi.json lists what there is.'],
  408: ['malformed-body', 'The request took too long to arrive. Send it again.'],
  413: [
    'body-too-large',
    'The body is larger than this address takes. Send less; a long document goes as a file (multipart/form-data).',
  ],
  414: ['not-found', 'There is nothing at an address that long.'],
  415: ['unsupported-media-type', 'Send application/json (documents also: multipart/form-data).'],
  503: ['unavailable', 'The gateway is stopping. Try again.'],
}

const statusOf = (error: unknown): number | undefined => {
  if (error instanceof HttpException) return error.getStatus()
  const code = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return typeof code === 'number' ? code : undefined
}

/** Every error as a refusal: what is unforeseen says nothing of its inside. */
export const refusalOf = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error
  if (isAway(error))
    return new Refusal('unavailable', 'The store cannot be reached. Nothing accepted is lost; try again.', {
      retryAfter: 2,
      cause: error,
    })
  const status = statusOf(error)
  const known = status === undefined ? undefined : byStatus[status]
  if (known) return new Refusal(known[0], known[1], { cause: error, ...(status === 503 && { retryAfter: 1 }) })
  if (status !== undefined && status >= 400 && status < 500)
    return new Refusal('invalid-request', 'The request cannot be read.', { cause: error })
  return new Refusal('internal-error', 'This is a fault of the server. It has been logged.', { cause: error })
}
