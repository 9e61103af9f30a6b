import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common'
import { ofTenant } from '@plumbline/platform/tenant-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, type Caller } from '../http/authenticate'
import { Refusal } from '../http/problem'
import { isRead } from '../http/concurrency-limits'
import { Common, LimitPorts } from '../ports'
import { MinuteQuotas, type RateLimits } from './minute-quotas'

@Injectable()
export class ReadRates {
  private readonly quotas: MinuteQuotas

  constructor(
    private readonly common: Common,
    private readonly limitPorts: LimitPorts,
  ) {
    this.quotas = new MinuteQuotas({
      names: { tenant: 'tenant-reads', key: 'key-reads' },
      limitsOf: (tenant) => this.limitsOf(tenant),
      take: (caller, limits, count) => this.take(caller, limits, count),
      refusal: (retryAfter, headers) =>
        new Refusal(
          'too-many-reads',
          'Your tenant or key sent more read requests than it may send in a minute. Send further requests later.',
          { retryAfter, headers },
        ),
    })
  }

  enter(caller: Caller): void | Promise<void> {
    return this.quotas.enter(caller)
  }

  headers(caller: Caller): Record<string, string> {
    return this.quotas.headers(caller)
  }

  private limitsOf(tenant: string): RateLimits | null {
    const { tenantReadsPerMinute, keyReadsPerMinute: ofKey } = this.common.settings
    const reads = ofTenant(tenantReadsPerMinute, tenant)
    return reads === undefined && ofKey === undefined ? null : { ofTenant: reads, ofKey }
  }

  private async take({ tenant, name }: Caller, limits: RateLimits, count: number) {
    const { askQuotas } = this.limitPorts
    const { log } = this.common
    try {
      return await askQuotas.takeReads({ tenant, key: name, limits, count })
    } catch (error) {
      log.warn({ err: error }, 'read requests not counted: redis error')
      return null
    }
  }
}

@Injectable()
export class ReadsGuard implements CanActivate {
  constructor(private readonly rates: ReadRates) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp()
    const request = http.getRequest<FastifyRequest>()
    const path = request.url.split('?')[0] ?? ''
    if (request.routeOptions.config.public === true || !isRead(request.method, path)) return true
    const caller = callerOf(request)
    const admitted = (): boolean => {
      void http.getResponse<FastifyReply>().headers(this.rates.headers(caller))
      return true
    }
    return this.rates.enter(caller)?.then(admitted) ?? admitted()
  }
}
