import { Injectable } from '@nestjs/common'
import type { ApiKey } from '@plumbline/adapters/redis/api-keys/api-keys'
import type { KeyList, KeyNames, KeyRotation, KeyView, KeyWithSecret, NewKey } from '@plumbline/contracts'
import type { Caller } from '../http/authenticate'
import { coversAccess, hasRole } from '../http/caller'
import { notFound, Refusal, wrongField } from '../http/problem'
import { KeyPorts, withGatewayTimeout } from '../ports'
import { iso } from '../present/answer'

const statusOf = ({ revokedAt, expiresAt = Infinity }: ApiKey): KeyView['status'] =>
  revokedAt === undefined ? (expiresAt > Date.now() ? 'active' : 'expired') : 'revoked'

const viewOf = (row: ApiKey, lastUsedAt: number | undefined): KeyView => {
  const { id, name, tenant, prefix, roles, access, createdAt, createdBy, expiresAt, rotatedAt, old, revokedAt } = row
  const status = statusOf(row)
  return {
    id,
    name,
    tenant,
    prefix,
    roles,
    access,
    status,
    createdAt: iso(createdAt),
    createdBy,
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
    ...(rotatedAt !== undefined && { rotatedAt: iso(rotatedAt) }),
    ...(old && old.until > Date.now() && status === 'active' && { oldUntil: iso(old.until) }),
    ...(revokedAt !== undefined && { revokedAt: iso(revokedAt) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: iso(lastUsedAt - (lastUsedAt % 60_000)) }),
  }
}

/** Only an operator may grant the role `operator`, or access tags that the caller's own key does not have. */
const refuseBeyond = (caller: Caller, { roles, access }: Pick<ApiKey, 'roles' | 'access'>): void => {
  if (hasRole(caller, 'operator')) return
  if (roles.includes('operator'))
    throw new Refusal(
      'forbidden',
      'Only an operator may create or change a key with the role operator. Use a key of an operator.',
    )
  if (!coversAccess(caller.access, access))
    throw new Refusal(
      'forbidden',
      'The key would have access tags that your own key does not have. Use only access tags of your own key.',
    )
}

@Injectable()
export class Keys {
  constructor(private readonly keyPorts: KeyPorts) {}

  async list(caller: Caller, named: string | undefined): Promise<KeyList> {
    const { apiKeys, fixedKeys } = this.keyPorts
    const tenant = this.tenantFor(caller, named)
    const rows = await withGatewayTimeout(() => apiKeys.list(tenant))
    const uses = await withGatewayTimeout(() => apiKeys.lastUses(rows.map(({ id }) => id)))
    return { items: rows.map((row) => viewOf(row, uses.get(row.id))), fixed: fixedKeys(tenant).all }
  }

  async names(caller: Caller): Promise<KeyNames> {
    const rows = await withGatewayTimeout(() => this.keyPorts.apiKeys.list(caller.tenant))
    const seesAll = hasRole(caller, 'reviewer', 'operator')
    const seen = seesAll ? rows : rows.filter(({ id }) => id === caller.name)
    return { items: seen.map(({ id, name }) => ({ id, name })) }
  }

  async create(caller: Caller, { name, roles, access, expiresAt, tenant: named }: NewKey): Promise<KeyWithSecret> {
    const tenant = this.tenantFor(caller, named)
    const until = expiresAt === undefined ? undefined : Date.parse(expiresAt)
    if (until !== undefined && until <= Date.now()) throw wrongField('expiresAt', 'send a time in the future')
    const given = { roles, access: access ?? [] }
    refuseBeyond(caller, given)
    const expiry = until === undefined ? {} : { expiresAt: until }
    const made = await withGatewayTimeout(() =>
      this.keyPorts.apiKeys.create({ tenant, name, ...given, createdBy: caller.name, ...expiry }),
    )
    if (!made)
      throw new Refusal(
        'too-many-keys',
        'This tenant has reached its limit of keys. Revoke keys that are not needed, then try again.',
      )
    return { ...viewOf(made.row, undefined), key: made.key }
  }

  async rotate(
    caller: Caller,
    id: string,
    { graceSeconds }: KeyRotation,
    named: string | undefined,
  ): Promise<KeyWithSecret> {
    const row = await this.active(caller, id, named)
    const rotated = await withGatewayTimeout(() => this.keyPorts.apiKeys.rotate(row.tenant, id, graceSeconds * 1_000))
    if (!rotated) throw notFound('valid key')
    return { ...viewOf(rotated.row, undefined), key: rotated.key }
  }

  async revoke(caller: Caller, id: string, named: string | undefined, force: boolean): Promise<void> {
    const { tenant } = await this.active(caller, id, named)
    const otherAdmin = this.keyPorts.fixedKeys(tenant).admins > 0
    const done = await withGatewayTimeout(() => this.keyPorts.apiKeys.revoke(tenant, id, !force && !otherAdmin))
    if (done.kind === 'gone') throw notFound('valid key')
    if (done.kind === 'last')
      throw new Refusal(
        'last-admin',
        `This is the last admin key of ${tenant}. Without it only an operator, or npm run plumbline -- keys first, could create keys for this tenant. Create another admin key first, or add ?force=true.`,
      )
  }

  private async active(caller: Caller, id: string, named: string | undefined): Promise<ApiKey> {
    const tenant = this.tenantFor(caller, named)
    const row = await withGatewayTimeout(() => this.keyPorts.apiKeys.get(tenant, id))
    if (!row || statusOf(row) !== 'active') throw notFound('valid key')
    refuseBeyond(caller, row)
    return row
  }

  private tenantFor(caller: Caller, named: string | undefined): string {
    if (named === undefined || named === caller.tenant) return caller.tenant
    if (!hasRole(caller, 'operator'))
      throw new Refusal(
        'forbidden',
        'Only a key with the role operator may name another tenant. Use such a key, or omit the tenant.',
      )
    return named
  }
}
