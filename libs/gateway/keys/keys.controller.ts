import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common'
import { z } from 'zod'
import { KeyList, KeyRotation, KeyWithSecret, name, NewKey } from '@plumbline/contracts'
import { Audited } from '../audit/audited'
import type { Caller } from '../http/authenticate'
import { CurrentCaller, Roles } from '../http/caller'
import { Describe } from '../ops/openapi'
import { Keys } from './keys.service'

const TenantQuery = z.strictObject({ tenant: name.optional() })
type TenantQuery = z.infer<typeof TenantQuery>
const RevokeQuery = TenantQuery.extend({ force: z.enum(['true', 'false']).default('false') })

/** The keys of a tenant. An operator may name another tenant. */
@Controller('v1/keys')
export class KeysController {
  constructor(private readonly keys: Keys) {}

  @Get()
  @Roles('admin', 'operator')
  @Describe({
    summary: 'The keys of this tenant, newest first, including ended ones for 90 days, without the secret keys',
    answers: { 200: KeyList },
  })
  list(@CurrentCaller() caller: Caller, @Query({ schema: TenantQuery }) { tenant }: TenantQuery): Promise<KeyList> {
    return this.keys.list(caller, tenant)
  }

  @Post()
  @Roles('admin', 'operator')
  @Audited('key.created', { namesTenant: true })
  @Describe({
    summary: 'Make a key; it is shown this once',
    examples: {
      'of an asker': { name: 'The help page', roles: ['asker'] },
      'for a reviewer, with access to some documents, for a year': {
        name: 'Rita',
        roles: ['reviewer'],
        access: ['staff'],
        expiresAt: '2099-01-01T00:00:00Z',
      },
    },
    answers: { 201: KeyWithSecret },
    refusals: ['too-many-keys'],
  })
  create(@CurrentCaller() caller: Caller, @Body({ schema: NewKey }) key: NewKey): Promise<KeyWithSecret> {
    return this.keys.create(caller, key)
  }

  @Post(':id/rotate')
  @Roles('admin', 'operator')
  @Audited('key.rotated', { namesTenant: true })
  @Describe({
    summary: 'Give a key a new secret, shown this once; the one before counts for a while yet',
    examples: { 'the old one for a day': { graceSeconds: 86_400 }, 'the old one no more': { graceSeconds: 0 } },
    answers: { 200: KeyWithSecret },
  })
  rotate(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: TenantQuery }) { tenant }: TenantQuery,
    @Body({ schema: KeyRotation }) rotation: KeyRotation,
  ): Promise<KeyWithSecret> {
    return this.keys.rotate(caller, id, rotation, tenant)
  }

  @Delete(':id')
  @Roles('admin', 'operator')
  @Audited('key.revoked', { namesTenant: true })
  @Describe({
    summary: 'Revoke a key, everywhere within seconds; the last one of an admin only with force=true',
    answers: { 204: '' },
    refusals: ['last-admin'],
  })
  revoke(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: RevokeQuery }) { tenant, force }: z.infer<typeof RevokeQuery>,
  ): Promise<void> {
    return this.keys.revoke(caller, id, tenant, force === 'true')
  }
}
