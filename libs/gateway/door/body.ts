import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './problem'

export const bodyLimits = { small: 1_048_576, document: 16_777_216 }

/** Forms carry files, and files are documents. */
export const refuseOtherForms = ({ headers, url }: FastifyRequest): void => {
  if (!headers['content-type']?.toLowerCase().startsWith('multipart/') || /^\/v1\/documents(\?|$)/.test(url)) return
  throw new Refusal('unsupported-media-type', 'Send application/json. Forms are for POST /v1/documents.')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
export const decodeUtf8 = (bytes: Uint8Array, what: string): string => {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new Refusal('malformed-body', `${what} is not UTF-8. Save or send it as UTF-8.`, { cause })
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
        done(
          error &&
            new Refusal('malformed-body', 'The body is not valid JSON. Check quotes, commas and braces.', { cause: error }),
          value,
        ),
      )
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })
}
