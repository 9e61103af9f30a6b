import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bounds } from '../settings'
import { Refusal, wrongField } from './problem'

export const bodyLimits = { small: 1_048_576, document: 16_777_216 }
export const formLimits = { files: 1, fields: 140, fieldSize: 65_536 }

/** The slowest allowed upload speed. An upload may take `bounds.sendMs` plus the time for its bytes at this speed. */
const slowestBytesPerMs = 64
export const longestMs = 600_000
/** The maximum size of the form fields of an upload. */
const besidesFile = 1_048_576

const sendsLines = ({ headers }: FastifyRequest): boolean =>
  /^application\/(jsonl|x-ndjson)\b/i.test(headers['content-type'] ?? '')

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.toLowerCase().startsWith('multipart/') === true

export const refuseLarge = (request: FastifyRequest, maxFileBytes: number): void => {
  if (!isForm(request) || Number(request.headers['content-length'] ?? 0) <= maxFileBytes + besidesFile) return
  throw new Refusal(
    'body-too-large',
    `Files up to ${Math.floor(maxFileBytes / 1_000_000)} MB are read. Split the file into smaller documents and send each document.`,
  )
}

/** Returns how long a request body may take to arrive. An upload of unknown size gets the time of the maximum size. */
export const uploadMs = (request: FastifyRequest, maxFileBytes: number): number => {
  if (!isForm(request)) return bounds.sendMs
  const bytes = Number(request.headers['content-length'] ?? maxFileBytes)
  return Math.min(bounds.sendMs + bytes / slowestBytesPerMs, longestMs)
}

/** Disconnects a client that sends its body too slowly, because the request occupies a slot. */
export const sentWithin = (request: FastifyRequest, maxFileBytes: number): void => {
  if (request.raw.method === 'GET' || request.raw.complete) return
  const timer = setTimeout(() => request.raw.destroy(), uploadMs(request, maxFileBytes))
  request.raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

export const refuseOtherTypes = (request: FastifyRequest): void => {
  if (isForm(request) && !/^\/v1\/documents(\?|$)/.test(request.url))
    throw new Refusal('unsupported-media-type', 'Send application/json. Only POST /v1/documents accepts forms.')
  const takesLines = /^\/v1\/batches(\?|$)/.test(request.url)
  if (sendsLines(request) && !takesLines)
    throw new Refusal('unsupported-media-type', 'Send application/json. Only POST /v1/batches accepts JSON Lines.')
  if (takesLines && request.method === 'POST' && !sendsLines(request))
    throw new Refusal('unsupported-media-type', 'Send application/jsonl: a question on every line, as JSON.')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
export const decodeUtf8 = (bytes: Uint8Array, what: string): string => {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new Refusal('malformed-body', `${what} is not UTF-8. Save or send it as UTF-8.`, { cause })
  }
}

const traps = new Set(['__proto__', 'constructor'])
/** Matches any text that may contain a reserved name. An escape such as `\u005f` may hide a letter of the name. */
const mayHoldTrap = /__proto__|constructor|\\u/
const refuseTraps = (name: string, value: unknown): unknown => {
  if (traps.has(name)) throw wrongField(name, 'is a reserved name: use another name', 'malformed-body')
  return value
}

/** Parses JSON, but refuses names such as `__proto__`, which could change prototypes. */
export const parseJson = (text: string): unknown => JSON.parse(text, mayHoldTrap.test(text) ? refuseTraps : undefined)

export const parseBody = (text: string, what = 'The body'): unknown => {
  try {
    return parseJson(text)
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw new Refusal('malformed-body', `${what} is not valid JSON. Check quotes, commas and braces.`, { cause })
  }
}

/** Replaces Fastify's parser for JSON bodies, which would silently replace invalid bytes. */
export const readJsonBodies = (server: FastifyInstance): void => {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      const text = decodeUtf8(Buffer.isBuffer(body) ? body : Buffer.from(body), 'The body')
      done(null, text.trim() === '' ? undefined : parseBody(text))
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })
  server.addContentTypeParser(
    ['application/jsonl', 'application/x-ndjson'],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  )
}
