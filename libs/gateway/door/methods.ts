import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Refusal } from './problem'

/** Which methods each address takes, for who comes with another one. */
export const methodBook = () => {
  const methods = new Map<string, Set<string>>()
  const isAt = (path: string) => (url: string) =>
    new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
  return {
    note: ({ url, method }: RouteOptions): void =>
      void methods.set(url, new Set([...(methods.get(url) ?? []), ...[method].flat()])),
    refuseOthers: (request: FastifyRequest, reply: FastifyReply): void => {
      if (!request.is404) return
      const here = [...methods.keys()].filter(isAt(request.url.split('?')[0] ?? ''))
      const taken = [...new Set(here.flatMap((url) => [...(methods.get(url) ?? [])]))].sort().join(', ')
      if (taken === '') return
      void reply.header('allow', taken)
      throw new Refusal('method-not-allowed', `This address does not take ${request.method}. It takes ${taken}.`)
    },
  }
}
