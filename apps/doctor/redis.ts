import type { Inspection, ServerFacts } from '@plumbline/adapters/redis/ops/inspect'
import { fault, warning, type Finding } from './finding'

/** The oldest version of Redis that has all commands in Plumbline's scripts. */
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
          `Redis ${info('redis_version')} at ${at} is older than ${oldest.join('.')}, so the scripts of Plumbline fail.`,
          'Update to Redis 7 or Valkey 7.2.',
        ),
      ]
    : []

const ofPersistence = ({ at, info, fsync }: ServerFacts): Finding[] => [
  ...(info('aof_enabled') === '0'
    ? [
        fault(
          'redis.persistence',
          `The Redis at ${at} writes no append-only file. If it stops, all runs since its last snapshot are lost.`,
          'Run redis-cli CONFIG SET appendonly yes, then CONFIG REWRITE. Or set appendonly yes in redis.conf.',
        ),
      ]
    : []),
  ...(info('aof_last_write_status') === 'err' || info('rdb_last_bgsave_status') === 'err'
    ? [
        fault(
          'redis.persistence',
          `The Redis at ${at} could not write to its disk.`,
          'Check the log and the disk of Redis.',
        ),
      ]
    : []),
  ...(fsync === 'no'
    ? [
        warning(
          'redis.persistence',
          `The Redis at ${at} lets the operating system decide when to write to disk. If the machine fails, the last half minute may be lost.`,
          'Run redis-cli CONFIG SET appendfsync everysec.',
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
            `The Redis at ${at} drops keys when it is full (maxmemory-policy ${info('maxmemory_policy')}), so runs and queues are lost.`,
            'Run redis-cli CONFIG SET maxmemory-policy noeviction, then CONFIG REWRITE.',
          ),
        ]
      : []),
    ...(most > 0 && used > nearlyFull * most
      ? [
          fault(
            'redis.memory',
            `The Redis at ${at} has used ${megabytes(used)} of ${megabytes(most)}. When Redis is full, questions are refused.`,
            'Raise maxmemory, or shorten the retention of runs (docs/run/sizing.md states the size of a run).',
          ),
        ]
      : []),
    ...(most === 0
      ? [
          warning(
            'redis.memory',
            `The Redis at ${at} has no maxmemory. If the machine runs out of memory, Redis is killed instead of refusing writes.`,
            'Set maxmemory to three quarters of the memory that the machine has for Redis.',
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
          `The Redis at ${at} is a replica, which accepts no writes.`,
          'Set REDIS_URL to the master, or to the sentinels that monitor it: redis+sentinel://host:26379/master.',
        ),
      ]
    : []

const ofClock = ({ at, skewMs }: ServerFacts): Finding[] =>
  Math.abs(skewMs) > skewedMs
    ? [
        fault(
          'clock',
          `This machine's clock is ${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the Redis at ${at}. Workers whose clock is off by more than 1 s process no jobs.`,
          'Synchronize both clocks with NTP (timedatectl set-ntp true).',
        ),
      ]
    : []

const ofRights = ({ at, missing }: ServerFacts): Finding[] =>
  missing.length > 0
    ? [
        fault(
          'redis.acl',
          `The user of REDIS_URL lacks rights at ${at}: ${missing.join(' ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
          `Run redis-cli ACL SETUSER <user> ${missing.join(' ')}, then ACL SAVE. deploy/redis/plumbline.acl lists all needed rights.`,
        ),
      ]
    : []

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
          'Run redis-cli --cluster check <host:port>, which lists these slots.',
        ),
      ]
}
