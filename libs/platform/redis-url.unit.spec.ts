import { expect, test } from 'vitest'
import { faultOfRedisUrl, parseRedisUrl, redactRedisUrl } from './redis-url'

const at = (host: string, port: number) => ({ host, port })

test.each([
  ['redis://localhost', { kind: 'single', nodes: [at('localhost', 6379)], auth: {} }],
  ['redis://10.0.0.1:7000/2', { kind: 'single', nodes: [at('10.0.0.1', 7000)], auth: { db: 2 } }],
  ['redis://:p%40ss@host:1/', { kind: 'single', nodes: [at('host', 1)], auth: { password: 'p@ss' } }],
  [
    'rediss://user:pw@[::1]:6380',
    { kind: 'single', nodes: [at('::1', 6380)], auth: { username: 'user', password: 'pw' }, tls: {} },
  ],
  [
    'rediss://a?ca=/tls/ca.crt&cert=/tls/a%20b.crt&key=/tls/a.key',
    {
      kind: 'single',
      nodes: [at('a', 6379)],
      auth: {},
      tls: { ca: '/tls/ca.crt', cert: '/tls/a b.crt', key: '/tls/a.key' },
    },
  ],
  ['redis+cluster://one:7001', { kind: 'cluster', nodes: [at('one', 7001)], auth: {} }],
  ['redis://a:1,b:2,c', { kind: 'cluster', nodes: [at('a', 1), at('b', 2), at('c', 6379)], auth: {} }],
  [
    'rediss+cluster://u:p@a:1,b:2',
    { kind: 'cluster', nodes: [at('a', 1), at('b', 2)], auth: { username: 'u', password: 'p' }, tls: {} },
  ],
  [
    'rediss+sentinel://u:p@a,b:5/runs?ca=/ca.crt&sentinelPassword=s%26t',
    {
      kind: 'sentinel',
      nodes: [at('a', 26379), at('b', 5)],
      auth: { username: 'u', password: 'p' },
      tls: { ca: '/ca.crt' },
      sentinel: { master: 'runs', auth: { password: 's&t' } },
    },
  ],
])('%s is read', (url, target) => {
  expect(parseRedisUrl(url)).toEqual(target)
})

test.each([
  ['', 'redis://host:port'],
  ['localhost:6379', 'redis://host:port'],
  ['http://localhost', 'redis://host:port'],
  ['redis://', 'redis://host:port'],
  ['redis://a:b:c', 'redis://host:port'],
  ['redis://host:port', 'redis://host:port'],
  ['redis://host/name', 'redis://host:port'],
  ['redis://a:1,', 'redis://host:port'],
  ['redis+sentinel://a:1,b:2', 'names no master'],
  ['redis://a?ca=/ca.crt', 'has an unknown option "ca"'],
  ['rediss://a?sentinelPassword=x', 'has an unknown option "sentinelPassword"'],
  ['rediss://a?cert=/a.crt', 'set cert and key together'],
  ['rediss://a?ca=/nowhere/ca.crt', 'ca cannot be read: ENOENT'],
  ['redis://%zz@a', 'cannot be read'],
])('"%s" is refused, and the message says what to write', (url, words) => {
  expect(faultOfRedisUrl(url)).toContain(words)
})

test('nothing secret of an address is shown', () => {
  expect(redactRedisUrl('rediss+sentinel://me:hush@a:1,b:2/runs?sentinelPassword=hush')).toBe(
    'rediss+sentinel://me:…@a:1,b:2/runs',
  )
})
