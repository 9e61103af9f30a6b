import { Inject, Injectable } from '@nestjs/common'
import { type Asker, counts } from '@plumbline/adapters/redis'
import { KeyRole } from '@plumbline/contracts'
import { type Caller, localCaller } from '../http/authenticate'
import { has } from '../http/caller'
import { Refusal } from '../http/problem'
import { PORTS, type GatewayPorts } from '../ports'

const isToken = ({ name }: Pick<Caller, 'name'>): boolean => name.startsWith('oidc:')
/** Never more than it was sent with: who may read that may read what comes of it. */
const inBoth = (now: Caller['access'], then: Caller['access']): Caller['access'] => {
  if (now === 'all') return then
  return then === 'all' ? now : now.filter((tag) => then.includes(tag))
}
const noMore = (why: string): Refusal => new Refusal('forbidden', why)

/** Who asks later what they sent now: by the rights that they have then. */
@Injectable()
export class Askers {
  constructor(@Inject(PORTS) private readonly ports: GatewayPorts) {}

  keep({ name, roles, access }: Caller): Asker {
    return { name, roles: [...roles], access: access === 'all' ? 'all' : [...access] }
  }

  /** A token is not looked up again: nobody could say when its rights end. */
  refuseToken(caller: Caller): void {
    if (isToken(caller))
      throw noMore('What is asked again and again needs a key: the rights of a token cannot be looked up later.')
  }

  /** As its key is now; a token has the rights that it came with. Refused where the key counts no more or may not ask. */
  async now(tenant: string, asker: Asker): Promise<Caller> {
    const caller = isToken(asker) ? this.asKept(tenant, asker) : await this.byKey(tenant, asker.name)
    if (!caller) throw noMore(`The key ${asker.name}, by which this was sent, does not count any more.`)
    if (!has(caller, 'asker')) throw noMore(`The key ${asker.name}, by which this was sent, may not ask any more.`)
    return { ...caller, access: inBoth(caller.access, asker.access) }
  }

  private asKept(tenant: string, { name, roles, access }: Asker): Caller {
    return { tenant, name, roles: new Set(roles.flatMap((role) => KeyRole.safeParse(role).data ?? [])), access }
  }

  private async byKey(tenant: string, name: string): Promise<Caller | undefined> {
    const { settings, fixedKey, apiKeys } = this.ports
    if (settings.marked === null) return localCaller
    const fixed = fixedKey(tenant, name)
    if (fixed) return fixed
    const row = await apiKeys.get(tenant, name)
    if (!row || !counts(row, row.hash, Date.now())) return undefined
    return { tenant, name, roles: new Set(row.roles), access: row.access }
  }
}
