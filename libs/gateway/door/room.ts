import type { FastifyReply, FastifyRequest } from 'fastify'
import { bounds } from '../settings'
import { Refusal } from './problem'

const isStream = (path: string): boolean => path.endsWith('/events')
const isUpload = ({ method }: FastifyRequest, path: string): boolean => method === 'POST' && path === '/v1/documents'

/** Bounds what is under way at once; who comes too many is told so before the body is read. */
export const room = () => {
  let requests = 0
  let uploads = 0
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const path = request.url.split('?')[0] ?? ''
    if (!path.startsWith('/v1/') || isStream(path)) return
    const upload = isUpload(request, path)
    if (requests >= bounds.inFlight || (upload && uploads >= bounds.uploads)) {
      throw new Refusal('too-many-requests', 'More requests are under way than fit here. Try again.', { retryAfter: 1 })
    }
    requests += 1
    if (upload) uploads += 1
    reply.raw.once('close', () => {
      requests -= 1
      if (upload) uploads -= 1
    })
  }
}
