import { Readable } from 'node:stream'
import { Controller, Get, Query, Res } from '@nestjs/common'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { AuditAnchor } from '@plumbline/contracts'
import { AuditPage } from '@plumbline/contracts'
import type { AuditLog } from '@plumbline/adapters/redis/audit/audit-log'
import type { Caller } from '../http/authenticate'
import { CurrentCaller, Roles } from '../http/caller'
import { time } from '../http/request-values'
import { cursor, limitOfPage } from '../http/validate'
import { Describe } from '../ops/openapi'
import { KeyPorts, withGatewayTimeout } from '../ports'

const AuditQuery = z.strictObject({
  cursor,
  limit: limitOfPage,
  action: z.string().max(80).optional(),
  actor: z.string().max(160).optional(),
  from: time.optional(),
  to: time.optional(),
})

async function* lines(audit: AuditLog, tenant: string, anchor: AuditAnchor): AsyncGenerator<string> {
  yield `${JSON.stringify({ tenant, anchor })}\n`
  for await (const piece of audit.walk(tenant)) yield piece.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

@Controller('v1/audit')
export class AuditController {
  constructor(private readonly keyPorts: KeyPorts) {}

  @Get()
  @Roles('admin')
  @Describe({
    summary:
      'List the changes and their authors, newest first. The filter `action` accepts a whole action, such as key.created, or only its first word, such as key',
    answers: { 200: AuditPage },
  })
  list(
    @CurrentCaller() { tenant }: Caller,
    @Query({ schema: AuditQuery }) query: z.infer<typeof AuditQuery>,
  ): Promise<AuditPage> {
    return withGatewayTimeout(() => this.keyPorts.audit.page(tenant, query))
  }

  @Get('export')
  @Roles('admin')
  @Describe({
    summary:
      'Export the whole log, oldest entry first. The first line states where the log starts. Each further line contains one entry, with the hash of the previous entry',
    answers: { 200: 'application/x-ndjson' },
  })
  async export(@CurrentCaller() { tenant }: Caller, @Res() reply: FastifyReply): Promise<void> {
    const { audit } = this.keyPorts
    const anchor = await withGatewayTimeout(() => audit.anchor(tenant))
    await reply
      .type('application/x-ndjson')
      .header('content-disposition', `attachment; filename="audit-${tenant}.jsonl"`)
      .send(Readable.from(lines(audit, tenant, anchor)))
  }
}
