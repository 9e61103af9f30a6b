import { randomUUID } from 'node:crypto'
import { type IncomingMessage, maxHeaderSize, STATUS_CODES } from 'node:http'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions, onRequestHookHandler } from 'fastify'
import { isUnknownPage, sendPage } from './app-page'
import { authenticate, type Callers } from './authenticate'
import { bodyLimits, formLimits, longestMs, readJsonBodies, refuseLarge, refuseOtherTypes, sentWithin } from './body'
import { Refusal, refusalOf, wrongField } from './problem'
import { serveRepeatedReads } from './repeated-reads'
import type { Settings } from '../settings'
import { limitConcurrentRequests } from './concurrency-limits'
import { traceRequests } from './trace-requests'

const unreadable = ({ code }: { code?: string }): Refusal =>
  code === 'HPE_HEADER_OVERFLOW'
    ? new Refusal(
        'headers-too-large',
        `The headers are larger than ${maxHeaderSize / 1_024} KB together. Send fewer or shorter headers.`,
      )
    : new Refusal('malformed-body', 'The request is not valid HTTP. Check the client that sent it.')
const noAddress = (): Refusal =>
  wrongField('address', 'cannot be read: encode characters outside ASCII as %XX of their UTF-8 bytes')

/** The headers of every response. Pages of the web app replace `content-security-policy`. */
const onEverything = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'private, no-cache',
}

/** Uses the id that the caller sent only if the id is safe for logs. */
const requestIdOf = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}

/** Allows requests from pages of these origins, but accepts no cookies from these pages. */
const allowOrigins = async (server: FastifyInstance, origins: readonly string[]): Promise<void> => {
  if (origins.length === 0) return
  await server.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'Location',
      'Retry-After',
      'Preference-Applied',
      'X-Request-Id',
      'Traceparent',
      'Content-Disposition',
      'RateLimit',
      'RateLimit-Policy',
      'X-RateLimit-Limit-Requests',
      'X-RateLimit-Remaining-Requests',
      'X-RateLimit-Reset-Requests',
      'Mcp-Session-Id',
    ],
    maxAge: 600,
  })
}

type Methods = ReturnType<typeof methodBook>

/** Runs before the body is read, so that a refused request costs little. */
const beforeBody = (callers: Callers | null, maxFileBytes: number, methods: Methods): onRequestHookHandler => {
  const enter = limitConcurrentRequests(maxFileBytes)
  const know = authenticate(callers)
  const admit = (request: FastifyRequest, reply: FastifyReply): void => {
    methods.refuseOthers(request, reply)
    enter(request, reply)
    refuseOtherTypes(request)
    refuseLarge(request, maxFileBytes)
    sentWithin(request, maxFileBytes)
  }
  return (request, reply, done) => {
    void reply.headers({ ...onEverything, 'x-request-id': request.id })
    const failed = (error: unknown): void => done(error instanceof Error ? error : new Error(String(error)))
    try {
      if (isUnknownPage(request)) {
        methods.refuseOthers(request, reply)
        return void sendPage(reply, 404).catch(failed)
      }
      const known = know(request)
      if (known) return void known.then(() => admit(request, reply)).then(() => done(), failed)
      admit(request, reply)
      done()
    } catch (error) {
      failed(error)
    }
  }
}

export const openServer = async (
  callers: Callers | null,
  { maxFileMb, corsOrigins, trustedProxies }: Pick<Settings, 'maxFileMb' | 'corsOrigins' | 'trustedProxies'>,
): Promise<FastifyAdapter> => {
  const maxFileBytes = maxFileMb * 1_000_000
  const adapter = new FastifyAdapter({
    bodyLimit: bodyLimits.small,
    // `sentWithin` sets a shorter limit for most requests.
    requestTimeout: longestMs,
    keepAliveTimeout: 65_000,
    multipart: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    genReqId: requestIdOf,
    skipMiddie: true,
    forceCloseConnections: true,
    frameworkErrors: (error: Error, _request: FastifyRequest, reply: FastifyReply) => {
      const { problem } = 'code' in error && error.code === 'FST_ERR_BAD_URL' ? noAddress() : refusalOf(error)
      void reply.raw
        .writeHead(problem.status, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify(problem))
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      const { problem } = unreadable(error)
      const body = JSON.stringify(problem)
      const head = [
        `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
        'Content-Type: application/problem+json',
        'Connection: close',
      ]
      socket.end([...head, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'))
    },
  })
  const server = adapter.getInstance() as unknown as FastifyInstance
  readJsonBodies(server)
  server.decorateRequest('caller')
  server.decorateRequest('stillCounts')
  const methods = methodBook()
  server.addHook('onRoute', (route) => {
    methods.note(route)
    if (/^\/v1\/(documents|batches)/.test(route.url)) route.bodyLimit = bodyLimits.document
  })
  serveRepeatedReads(server)
  // CORS comes before authentication, because a browser sends a CORS preflight without a key.
  await allowOrigins(server, corsOrigins)
  traceRequests(server)
  server.addHook('onRequest', beforeBody(callers, maxFileBytes, methods))
  await server.register(multipart, { limits: { ...formLimits, fileSize: maxFileBytes + 1 } })
  return adapter
}

const pathPattern = (url: string): RegExp => {
  const parts = url.split(/(:\w+|\*)/).map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`)
}

type PathMethods = { pattern: RegExp; methods: Set<string> }

const methodBook = () => {
  const paths = new Map<string, PathMethods>()
  return {
    note: ({ url, method }: RouteOptions): void => {
      // Skips the route of the CORS plugin, which matches every path.
      if (url === '*') return
      const { pattern, methods } = paths.get(url) ?? { pattern: pathPattern(url), methods: new Set<string>() }
      paths.set(url, { pattern, methods: new Set([...methods, ...[method].flat()]) })
    },
    refuseOthers: (request: FastifyRequest, reply: FastifyReply): void => {
      if (!request.is404) return
      const path = request.url.split('?')[0] ?? ''
      const here = [...paths.values()].filter(({ pattern }) => pattern.test(path))
      const taken = [...new Set(here.flatMap(({ methods }) => [...methods]))].sort().join(', ')
      if (taken === '') return
      void reply.header('allow', taken)
      throw new Refusal('method-not-allowed', `This address does not support ${request.method}. Use ${taken}.`)
    },
  }
}
