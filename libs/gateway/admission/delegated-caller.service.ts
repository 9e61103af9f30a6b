import { Injectable } from '@nestjs/common'
import { isValidKey } from '@plumbline/adapters/redis/api-keys/api-keys'
import type { Asker } from '@plumbline/adapters/redis/api-keys/asker'
import { KeyRole } from '@plumbline/contracts'
import { type Caller, localCaller, type Role } from '../http/authenticate'
import { hasRole } from '../http/caller'
import { Refusal } from '../http/problem'
import { Common, KeyPorts } from '../ports'

const isToken = ({ name }: Pick<Caller, 'name'>): boolean => name.startsWith('oidc:')
/** Leaves out access tags that the key got after the request. People without these tags may read the results. */
const inBoth = (now: Caller['access'], then: Caller['access']): Caller['access'] => {
  if (now === 'all') return then
  return then === 'all' ? now : now.filter((tag) => then.includes(tag))
}
const noMore = (why: string): Refusal => new Refusal('forbidden', why)

/** A question that is asked later, for example on a schedule, gets the rights that its API key has when it is asked. */
@Injectable()
export class DelegatedCallers {
  constructor(
    private readonly common: Common,
    private readonly keyPorts: KeyPorts,
  ) {}

  keep({ name, roles, access }: Caller): Asker {
    return { name, roles: [...roles], access: access === 'all' ? 'all' : [...access] }
  }

  refuseToken(caller: Caller): void {
    if (isToken(caller))
      throw noMore(
        'A scheduled question needs an API key, because the rights of a token cannot be checked later. Send the request with an API key.',
      )
  }

  /** Returns the caller of an earlier request: a key with its current rights, or a token with its original rights. */
  async now(tenant: string, asker: Asker, role: Role = 'asker'): Promise<Caller> {
    const caller = isToken(asker) ? this.asKept(tenant, asker) : await this.byKey(tenant, asker.name)
    if (!caller)
      throw noMore(
        `The key ${asker.name}, which sent the question, is no longer valid. Send the question again with a valid key.`,
      )
    if (!hasRole(caller, role))
      throw noMore(
        `The key ${asker.name}, which sent the question, no longer has the role ${role}. Send the question with a key that has this role.`,
      )
    return { ...caller, access: inBoth(caller.access, asker.access) }
  }

  private asKept(tenant: string, { name, roles, access }: Asker): Caller {
    return { tenant, name, roles: new Set(roles.flatMap((role) => KeyRole.safeParse(role).data ?? [])), access }
  }

  private async byKey(tenant: string, name: string): Promise<Caller | undefined> {
    const { settings } = this.common
    const { fixedKey, apiKeys } = this.keyPorts
    if (settings.markedAnswers === null) return localCaller
    const fixed = fixedKey(tenant, name)
    if (fixed) return fixed
    const row = await apiKeys.get(tenant, name)
    if (!row || !isValidKey(row, row.hash, Date.now())) return undefined
    return { tenant, name, roles: new Set(row.roles), access: row.access }
  }
}
