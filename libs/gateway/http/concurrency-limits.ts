import { tenantLimit } from '@plumbline/platform/tenant-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bounds } from '../settings'
import { callerOf } from './authenticate'
import { uploadMs } from './body'
import { Refusal } from './problem'
import { wantsEvents } from './request-values'

/** The value of the header Retry-After, in seconds, if it is unknown when a slot becomes free. */
const unknownSeconds = 60

export const limitOf = (what: string, most: number) => {
  const limit = tenantLimit(most)
  return (tenant: string, withinMs?: number): (() => void) => {
    const full = limit.full(tenant)
    if (full === 'process')
      throw new Refusal(
        'too-many-requests',
        `This gateway has reached its limit of ${what}. Send the request again later.`,
        {
          retryAfter: 2,
        },
      )
    if (full === 'tenant') {
      const seconds = Math.ceil(limit.freeInMs(tenant) / 1_000)
      throw new Refusal(
        'tenant-limit',
        `Your tenant has reached its limit of ${limit.mostOfOne} ${what} on this gateway. Wait until one of them has ended.`,
        { retryAfter: Number.isFinite(seconds) ? Math.max(seconds, 1) : unknownSeconds },
      )
    }
    return limit.take(tenant, withinMs)
  }
}

const isEventPath = (path: string): boolean => path.endsWith('/events') || path === '/v1/live'
/** Returns whether the read quota applies. `/v1/scaler` is exempt, so that an autoscaler can always read the queues. */
export const isRead = (method: string, path: string): boolean =>
  ((method === 'GET' || method === 'HEAD') &&
    path.startsWith('/v1/') &&
    !isEventPath(path) &&
    !path.startsWith('/v1/scaler')) ||
  (method === 'POST' && path === '/v1/search')

const isStream = (request: FastifyRequest, path: string): boolean =>
  isEventPath(path) || (path === '/v1/runs' && request.method === 'POST' && wantsEvents(request))
const isUpload = ({ method }: FastifyRequest, path: string): boolean => method === 'POST' && path === '/v1/documents'
const requestMs = 1_000

export const limitConcurrentRequests = (maxFileBytes: number) => {
  const takeRequest = limitOf('requests in progress', bounds.inFlight)
  const takeUpload = limitOf('uploads in progress', bounds.uploads)
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const path = request.url.split('?')[0] ?? ''
    if (!(path.startsWith('/v1/') || path === '/mcp') || isStream(request, path)) return
    const { tenant } = callerOf(request)
    if (isUpload(request, path)) reply.raw.once('close', takeUpload(tenant, uploadMs(request, maxFileBytes)))
    reply.raw.once('close', takeRequest(tenant, requestMs))
  }
}
