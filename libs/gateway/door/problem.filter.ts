import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common'
import type { Log } from '@plumbline/platform/log'
import type { FastifyReply } from 'fastify'
import { LOG } from '../ports'
import { refusalOf } from './translate'

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>()
    const { problem, retryAfter } = refusalOf(error)
    if (problem.status >= 500) this.log.warn({ err: error }, `answered ${problem.status}`)
    if (reply.raw.headersSent) return void reply.raw.destroy()
    if (retryAfter !== undefined) void reply.header('retry-after', `${retryAfter}`)
    if (problem.status === 401) void reply.header('www-authenticate', 'Bearer')
    // As bytes: Fastify adds a charset to text, and JSON has none.
    void reply
      .status(problem.status)
      .header('content-type', 'application/problem+json')
      .send(Buffer.from(JSON.stringify(problem)))
  }
}
