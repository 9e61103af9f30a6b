import { closedTasksChannel, keptTracesChannel, keys } from './keys'

/** All Redis commands that Plumbline sends or uses in scripts. None of them administers the server. */
export const commands = [
  ...[
    'asking',
    'bzpopmin',
    'client|setname',
    'cluster|info',
    'cluster|keyslot',
    'cluster|slots',
    'command|info',
    'del',
    'discard',
    'eval',
  ],
  ...['evalsha', 'exec', 'exists', 'get', 'hdel', 'hexists', 'hget', 'hgetall', 'hincrby', 'hkeys', 'hlen', 'hmget'],
  ...['hmset', 'hscan', 'hset', 'hsetnx', 'hvals', 'incr', 'incrby', 'info', 'lindex', 'llen', 'lpop', 'lpos', 'lpush'],
  ...['lrange', 'lrem', 'ltrim', 'multi', 'persist', 'pexpire', 'pexpireat', 'ping', 'pttl', 'publish', 'readonly'],
  ...['readwrite', 'rename', 'rpop', 'rpoplpush', 'rpush', 'sadd', 'scard', 'select', 'set', 'sismember', 'smembers'],
  ...['srem', 'strlen', 'subscribe', 'time', 'type', 'unlink', 'unsubscribe', 'xadd', 'xdel', 'xlen', 'xrange'],
  ...['xrevrange', 'xtrim', 'zadd', 'zcard', 'zcount', 'zmscore', 'zpopmin', 'zrange', 'zrangebylex', 'zrangebyscore'],
  ...['zrank', 'zrem', 'zremrangebyrank', 'zremrangebyscore', 'zrevrange', 'zrevrangebyscore', 'zrevrank', 'zscore'],
]

const anything = '*'
const patternOf = (key: string | ((...parts: never[]) => string)): string =>
  typeof key === 'string' ? key : (key as (...parts: string[]) => string)(anything, anything)

export const keyPatterns = [...new Set([...Object.values(keys).map(patternOf), 'plumbline:{*}:*'])].sort()

const channels = [
  closedTasksChannel,
  keptTracesChannel,
  keys.ledger(anything),
  keys.document(anything),
  keys.parked(anything, 'rows'),
  keys.apiKeys('rows'),
].sort()

/** Returns an access list (ACL) file for Redis. The operator must add a password for the user after `on`. */
export const aclFile = (): string =>
  [
    'user default off',
    [
      'user plumbline reset on',
      ...keyPatterns.map((pattern) => `~${pattern}`),
      ...channels.map((channel) => `&${channel}`),
      ...commands.map((command) => `+${command}`),
    ].join(' '),
    '',
  ].join('\n')
