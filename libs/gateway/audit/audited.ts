import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { RouteConfig } from '@nestjs/platform-fastify'
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { AuditLog } from '@plumbline/adapters/redis/audit/audit-log'
import { type AuditFact, cleanName, name } from '@plumbline/contracts'
import type { Log } from '@plumbline/platform/log'
import { withGatewayTimeout } from '../ports'
import { hasRole, reviewerOf } from '../http/caller'

type Audit = {
  action: string
  /** Returns the id of the changed object, if it is neither in the path nor in the response field `id`. */
  targetOf?: (answer: unknown) => string
  /** True if the request can name another tenant. If it does, the entry is written to the audit log of that tenant. */
  namesTenant?: boolean
}
type StartedAction = { tenant: string; id: string; fact: Omit<AuditFact, 'outcome'>; audit: Audit }

declare module 'fastify' {
  interface FastifyContextConfig {
    audit?: Audit
  }
  interface FastifyRequest {
    begunAudit?: StartedAction
  }
}

export const Audited = (action: string, options: Omit<Audit, 'action'> = {}) =>
  RouteConfig({ audit: { action, ...options } })

export const auditedActionOf = (handler: object): string | undefined =>
  (Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as { audit?: Audit } | undefined)?.audit?.action

const mostTarget = 3_000
/** Records at most one refusal per caller and action in this time, so that no caller can fill the log. */
const refusalEveryMs = 60_000
const retryMs = [500, 1_000, 2_000, 5_000, 15_000, 30_000]

const actorOf = (request: FastifyRequest): string => {
  try {
    return reviewerOf(request)
  } catch {
    return request.caller?.name ?? ''
  }
}

const tenantOf = (request: FastifyRequest, { namesTenant }: Audit): string | undefined => {
  const { caller, body, query } = request
  if (!namesTenant || !caller || !hasRole(caller, 'operator')) return caller?.tenant
  const named = { ...(query as { tenant?: unknown }), ...(body as { tenant?: unknown } | null) }.tenant
  return name.safeParse(named).data ?? caller.tenant
}

const read = (payload: unknown): unknown => {
  try {
    return typeof payload === 'string' || payload instanceof Buffer ? JSON.parse(payload.toString()) : undefined
  } catch {
    return undefined
  }
}
const idIn = (answer: unknown): string =>
  typeof answer === 'object' && answer !== null && 'id' in answer && typeof answer.id === 'string' ? answer.id : ''

const cut = (target: string): string => cleanName(target).slice(0, mostTarget)
const outcomeOf = (status: number): AuditFact['outcome'] | null => {
  if (status < 400) return 'done'
  if (status === 403) return 'refused'
  return status >= 500 ? 'failed' : null
}

/** Records the start of each audited request before the change, and the outcome before the response is sent. */
export const auditRoutes = (server: FastifyInstance, log: AuditLog, told: Log): void => {
  const refused = new LRUCache<string, true>({ max: 10_000, ttl: refusalEveryMs })

  const begin = async (request: FastifyRequest, audit: Audit): Promise<void> => {
    const tenant = tenantOf(request, audit)
    if (tenant === undefined) return
    const target = cut(Object.values(request.params as Record<string, string>).join(' '))
    const fact = { actor: actorOf(request), action: audit.action, target }
    const begun = { tenant, id: randomUUID(), fact, audit }
    await withGatewayTimeout(() => log.begin(tenant, begun.id, fact))
    request.begunAudit = begun
  }
  const append = async ({ tenant, id, fact }: StartedAction, outcome: AuditFact['outcome']): Promise<void> => {
    for (let tried = 0; ; tried += 1) {
      try {
        return await log.append(tenant, id, { ...fact, outcome })
      } catch (error) {
        if (tried === 0) told.warn({ err: error, action: fact.action }, 'audit log entry not written yet: retrying')
        await wait(retryMs[Math.min(tried, retryMs.length - 1)], undefined, { ref: false })
      }
    }
  }
  const finish = async (begun: StartedAction, status: number, payload: unknown): Promise<void> => {
    const { fact, audit, tenant, id } = begun
    const outcome = outcomeOf(status)
    const refusal = `${tenant} ${fact.actor} ${fact.action}`
    if (outcome === null || (outcome === 'refused' && refused.has(refusal)))
      return log.forget(tenant, id).catch(() => undefined)
    if (outcome === 'refused') refused.set(refusal, true)
    const answered =
      outcome === 'done' && (audit.targetOf !== undefined || fact.target === '') ? read(payload) : undefined
    const target = audit.targetOf && answered !== undefined ? audit.targetOf(answered) : fact.target || idIn(answered)
    const appended = append({ ...begun, fact: { ...fact, target: cut(target) } }, outcome)
    // Error responses (5xx) do not wait for the entry, because the store may be down. Other responses wait at most a
    // second.
    if (outcome !== 'failed') await Promise.race([appended, wait(1_000, undefined, { ref: false })])
  }

  server.decorateRequest('begunAudit')
  server.addHook('preHandler', (request, _reply, done) => {
    const { audit } = request.routeOptions.config
    if (!audit) return done()
    begin(request, audit).then(() => done(), done)
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    const { begunAudit: begun } = request
    if (!begun) return done(null, payload)
    request.begunAudit = undefined
    finish(begun, reply.statusCode, payload).then(
      () => done(null, payload),
      (error: unknown) => {
        told.warn({ err: error }, 'audit log entry not written')
        done(null, payload)
      },
    )
  })
}
