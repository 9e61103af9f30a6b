import type { Inspection, ServerFacts } from '@plumbline/adapters/redis'
import { fault, warning, type Finding } from './finding'

/** The oldest Redis version that has all commands of the scripts. */
const oldest = [6, 2] as const
const nearlyFull = 0.85
const skewedMs = 1_000

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1])
}
const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`

const ofVersion = ({ at, info }: ServerFacts): Finding[] =>
  isOld(info('redis_version'))
    ? [
        fault(
          'redis.version',
          `Redis ${info('redis_version')} at ${at} is older than ${oldest.join('.')}: scripts fail there.`,
          'Update it to Redis 7 or Valkey 7.2.',
        ),
      ]
    : []

const ofPersistence = ({ at, info, fsync }: ServerFacts): Finding[] => [
  ...(info('aof_enabled') === '0'
    ? [
        fault(
          'redis.persistence',
          `The Redis at ${at} keeps no append-only file: when it ends, runs since its last snapshot are lost.`,
          'redis-cli CONFIG SET appendonly yes, then CONFIG REWRITE; or appendonly yes in redis.conf.',
        ),
      ]
    : []),
  ...(info('aof_last_write_status') === 'err' || info('rdb_last_bgsave_status') === 'err'
    ? [fault('redis.persistence', `The Redis at ${at} could not write to its disk.`, 'Look at its log and its disk.')]
    : []),
  ...(fsync === 'no'
    ? [
        warning(
          'redis.persistence',
          `The Redis at ${at} leaves it to the system when it writes to disk: a machine that fails may lose half a minute.`,
          'redis-cli CONFIG SET appendfsync everysec.',
        ),
      ]
    : []),
]

const ofMemory = ({ at, info }: ServerFacts): Finding[] => {
  const [used, most] = [Number(info('used_memory')), Number(info('maxmemory'))]
  const evicting = info('maxmemory_policy') !== 'noeviction'
  return [
    ...(evicting
      ? [
          fault(
            'redis.eviction',
            `The Redis at ${at} drops keys when it is full (maxmemory-policy ${info('maxmemory_policy')}): runs and queues are lost.`,
            'redis-cli CONFIG SET maxmemory-policy noeviction, then CONFIG REWRITE.',
          ),
        ]
      : []),
    ...(most > 0 && used > nearlyFull * most
      ? [
          fault(
            'redis.memory',
            `The Redis at ${at} has used ${megabytes(used)} of ${megabytes(most)}: when it is full, asks are refused.`,
            'Raise maxmemory, or keep runs for less time (docs/run/sizing.md says what one takes).',
          ),
        ]
      : []),
    ...(most === 0
      ? [
          warning(
            'redis.memory',
            `The Redis at ${at} has no maxmemory: where the machine runs out, it is killed instead of refusing.`,
            'Set maxmemory to three quarters of what the machine has for it.',
          ),
        ]
      : []),
  ]
}

const ofRole = ({ at, info }: ServerFacts): Finding[] =>
  info('role') === 'slave'
    ? [
        fault(
          'redis.role',
          `The Redis at ${at} is a replica, which takes no writes.`,
          'Name the master in REDIS_URL, or the sentinels that know it: redis+sentinel://host:26379/master.',
        ),
      ]
    : []

const ofClock = ({ at, skewMs }: ServerFacts): Finding[] =>
  Math.abs(skewMs) > skewedMs
    ? [
        fault(
          'clock',
          `This machine's clock is ${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the Redis at ${at}: workers more than 1 s off take no work.`,
          'Set both by NTP (timedatectl set-ntp true).',
        ),
      ]
    : []

const ofRights = ({ at, missing }: ServerFacts): Finding[] =>
  missing.length > 0
    ? [
        fault(
          'redis.acl',
          `The user of REDIS_URL may not do all that is needed at ${at}: ${missing.join(' ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
          `redis-cli ACL SETUSER <user> ${missing.join(' ')}, then ACL SAVE; deploy/redis/plumbline.acl has all of it.`,
        ),
      ]
    : []

/** Returns findings about the Redis servers. */
export const redisFindings = async (inspection: Inspection): Promise<Finding[]> => {
  const facts = await inspection.servers()
  const each = [ofVersion, ofPersistence, ofMemory, ofRole, ofClock, ofRights]
  const found = facts.flatMap((server) => each.flatMap((look) => look(server)))
  const state = inspection.isCluster ? await inspection.clusterState() : 'ok'
  return state === 'ok'
    ? found
    : [
        ...found,
        fault(
          'redis.cluster',
          `The cluster is in the state ${state}: some slots have no node.`,
          'redis-cli --cluster check <host:port> names them.',
        ),
      ]
}
