import { randomUUID } from 'node:crypto'
import { type KeyRole, type KeyWithSecret, name } from '@plumbline/contracts'
import { secretOf } from '@plumbline/platform/env'
import { redactRedisUrl } from '@plumbline/platform/redis-url'
import { WrongArgument } from '../ingest/find-files'

type Environment = Record<string, string | undefined>
type FirstKey = { tenant: string; operator: boolean; options: { force: boolean } }

const withinMs = 5_000
const actor = 'first-run'

/** Opens the key store in Redis. Its code is loaded only here, because all other commands use the gateway instead. */
const openStore = async (env: Environment) => {
  const [{ connectFailFast, whenReady }, { checkStoreShape }, { openApiKeys }, { openAuditLog }] = await Promise.all([
    import('@plumbline/adapters/redis/client/client'),
    import('@plumbline/adapters/redis/client/keys'),
    import('@plumbline/adapters/redis/api-keys/api-keys'),
    import('@plumbline/adapters/redis/audit/audit-log'),
  ])
  const url = secretOf(env, 'REDIS_URL') ?? 'redis://127.0.0.1:6379'
  const redis = connectFailFast(url)
  try {
    await whenReady(redis, withinMs)
  } catch {
    redis.disconnect()
    throw new WrongArgument(
      `Redis does not answer at ${redactRedisUrl(url)}: set REDIS_URL to the Redis of the gateway.`,
    )
  }
  await checkStoreShape(redis)
  const days = Number(env.AUDIT_DAYS?.trim() || 365)
  return { redis, keys: openApiKeys(redis), audit: openAuditLog(redis, days) }
}

/** Creates the first admin key directly in the store, because the gateway lets only an admin create keys. */
export const createFirstKey = async (
  { tenant, operator, options }: FirstKey,
  env: Environment,
): Promise<KeyWithSecret> => {
  const faulty = name.safeParse(tenant).error?.issues[0]?.message
  if (faulty !== undefined) throw new WrongArgument(`--tenant: ${faulty}.`)
  const { redis, keys, audit } = await openStore(env)
  try {
    if (!options.force && (await keys.hasAdmin(tenant)))
      throw new WrongArgument(
        `${tenant} already has an admin key. Create further keys with it (npm run plumbline -- keys create). If the admin key is lost, add --force.`,
      )
    const roles: KeyRole[] = operator ? ['admin', 'operator'] : ['admin']
    const begun = randomUUID()
    const fact = { actor, action: 'key.created', target: '' }
    await audit.begin(tenant, begun, fact)
    const made = await keys.create({ tenant, name: 'First admin', roles, access: 'all', createdBy: actor })
    if (!made)
      throw new WrongArgument(
        `${tenant} has reached its limit of keys. Revoke a key that is not needed (npm run plumbline -- keys revoke <id>).`,
      )
    const { id, prefix, createdAt } = made.row
    await audit.append(tenant, begun, { ...fact, target: id, outcome: 'done' })
    return {
      id,
      name: made.row.name,
      tenant,
      prefix,
      roles,
      access: 'all',
      status: 'active',
      createdAt: new Date(createdAt).toISOString(),
      createdBy: actor,
      key: made.key,
    }
  } finally {
    redis.disconnect()
  }
}
