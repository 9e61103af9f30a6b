import { hash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const leastBytes = 2_048
const packs =
  /^(application\/(json|problem\+json|x-ndjson|jsonl)|text\/(plain|markdown|html|css|javascript)|image\/svg)/

const zip = promisify(gzip)

const takesGzip = ({ headers }: FastifyRequest): boolean =>
  /(^|,)\s*(gzip|\*)\s*(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(headers['accept-encoding'] ?? '')

/** Returns whether the header contains the ETag. The prefix `W/` is ignored, because the compression may differ. */
const includesTag = (given: string | undefined, tag: string): boolean =>
  given !== undefined && given.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag)

const tagged = (request: FastifyRequest, reply: FastifyReply, body: string | Buffer): boolean => {
  const tag = `"${hash('sha256', body, 'base64url')}"`
  void reply.header('etag', `W/${tag}`)
  if (!includesTag(request.headers['if-none-match'], tag)) return false
  void reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return true
}

const answered = async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
  const isBody = typeof payload === 'string' || Buffer.isBuffer(payload)
  if (reply.statusCode !== 200 || !(isBody || payload instanceof Readable) || reply.hasHeader('content-encoding'))
    return payload
  const packed = packs.test(String(reply.getHeader('content-type')))
  if (packed) void reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
  if (isBody && tagged(request, reply, payload)) return null
  if (!packed || !takesGzip(request) || (isBody && Buffer.byteLength(payload) < leastBytes)) return payload
  void reply.header('content-encoding', 'gzip').removeHeader('content-length')
  return isBody ? zip(payload) : pipeline(payload, createGzip(), () => undefined)
}

/** Only GET routes get ETags and compression, so that asking questions stays fast. */
export const serveRepeatedReads = (server: FastifyInstance): void => {
  server.addHook('onRoute', (route) => {
    if (route.method === 'GET') route.onSend = [route.onSend ?? [], answered].flat()
  })
}
