import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common'
import { z } from 'zod'
import { KeyList, KeyNames, KeyRotation, KeyWithSecret, name, NewKey } from '@plumbline/contracts'
import { Audited } from '../audit/audited'
import type { Caller } from '../http/authenticate'
import { AnyRole, CurrentCaller, Roles } from '../http/caller'
import { Describe } from '../ops/openapi'
import { Keys } from './keys.service'

const TenantQuery = z.strictObject({ tenant: name.optional() })
type TenantQuery = z.infer<typeof TenantQuery>
const RevokeQuery = TenantQuery.extend({ force: z.enum(['true', 'false']).default('false') })

/** Only an operator may name a tenant other than the caller's own. */
@Controller('v1/keys')
export class KeysController {
  constructor(private readonly keys: Keys) {}

  @Get()
  @Roles('admin', 'operator')
  @Describe({
    summary:
      'List the keys of this tenant, newest first, without their secrets. Expired and revoked keys are listed for 90 days',
    answers: { 200: KeyList },
  })
  list(@CurrentCaller() caller: Caller, @Query({ schema: TenantQuery }) { tenant }: TenantQuery): Promise<KeyList> {
    return this.keys.list(caller, tenant)
  }

  @Get('names')
  @AnyRole()
  @Describe({
    summary:
      'List the ids and names of the keys of this tenant. A key without the role reviewer or operator gets only its own id and name',
    answers: { 200: KeyNames },
  })
  names(@CurrentCaller() caller: Caller): Promise<KeyNames> {
    return this.keys.names(caller)
  }

  @Post()
  @Roles('admin', 'operator')
  @Audited('key.created', { namesTenant: true })
  @Describe({
    summary: 'Create a key. The secret is shown only in this response',
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
    summary:
      'Give a key a new secret, which is shown only in this response. The old secret stays valid for graceSeconds',
    examples: {
      'the old secret stays valid for a day': { graceSeconds: 86_400 },
      'the old secret becomes invalid at once': { graceSeconds: 0 },
    },
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
    summary:
      'Revoke a key. All gateways refuse the key within seconds. The last remaining admin key is revoked only with force=true',
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
