import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './problem'

export const bodyLimits = { small: 1_048_576, document: 16_777_216 }
export const formLimits = { files: 1, fields: 140, fieldSize: 65_536 }

const sendMs = 30_000
/** What the fields of a form may add to its file. */
const besidesFile = 1_048_576

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.toLowerCase().startsWith('multipart/') === true

/** A file that says it is too large is not waited for. */
export const refuseLarge = (request: FastifyRequest, maxFileBytes: number): void => {
  if (!isForm(request) || Number(request.headers['content-length'] ?? 0) <= maxFileBytes + besidesFile) return
  throw new Refusal(
    'body-too-large',
    `Files up to ${Math.floor(maxFileBytes / 1_000_000)} MB are read. Split it into smaller documents and send each of them.`,
  )
}

/** A body that trickles in holds a place: only files may take their time. */
export const sentWithin = (request: FastifyRequest): void => {
  if (isForm(request) || request.raw.method === 'GET' || request.raw.complete) return
  const timer = setTimeout(() => request.raw.destroy(), sendMs)
  request.raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

/** Forms carry files, and files are documents. */
export const refuseOtherForms = (request: FastifyRequest): void => {
  if (!isForm(request) || /^\/v1\/documents(\?|$)/.test(request.url)) return
  throw new Refusal('unsupported-media-type', 'Send application/json. Forms are for POST /v1/documents.')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const decodeUtf8 = (bytes: Uint8Array, what: string): string => {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new Refusal('malformed-body', `${what} is not UTF-8. Save or send it as UTF-8.`, { cause })
  }
}

const notJson = 'The body is not valid JSON. Check quotes, commas and braces.'
const trap = 'The body names something __proto__ or constructor.prototype. Use another name.'
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON in UTF-8 and nothing else; the default parser would turn broken bytes into question marks. */
export const readJsonBodies = (server: FastifyInstance): void => {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      const text = decodeUtf8(Buffer.isBuffer(body) ? body : Buffer.from(body), 'The body')
      if (text.trim() === '') return done(null, undefined)
      void parse(request, text, (error, value: unknown) =>
        done(error && new Refusal('malformed-body', isJson(text) ? trap : notJson, { cause: error }), value),
      )
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
