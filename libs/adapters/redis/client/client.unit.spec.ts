import { expect, test } from 'vitest'
import { parseRedisUrl } from './client'

test.each([
  ['redis://localhost', { nodes: [{ host: 'localhost', port: 6379 }], cluster: false, auth: {} }],
  ['redis://10.0.0.1:7000/2', { nodes: [{ host: '10.0.0.1', port: 7000 }], cluster: false, auth: { db: 2 } }],
  ['redis://:p%40ss@host:1/', { nodes: [{ host: 'host', port: 1 }], cluster: false, auth: { password: 'p@ss' } }],
  [
    'rediss://user:pw@[::1]:6380',
    { nodes: [{ host: '::1', port: 6380 }], cluster: false, auth: { username: 'user', password: 'pw', tls: {} } },
  ],
  ['redis+cluster://one:7001', { nodes: [{ host: 'one', port: 7001 }], cluster: true, auth: {} }],
  [
    'redis://a:1,b:2,c',
    {
      nodes: [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
        { host: 'c', port: 6379 },
      ],
      cluster: true,
      auth: {},
    },
  ],
  [
    'rediss+cluster://u:p@a:1,b:2',
    {
      nodes: [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
      ],
      cluster: true,
      auth: { username: 'u', password: 'p', tls: {} },
    },
  ],
])('%s is read', (url, target) => {
  expect(parseRedisUrl(url)).toEqual(target)
})

test.each([
  '',
  'localhost:6379',
  'http://localhost',
  'redis://',
  'redis://a:b:c',
  'redis://host:port',
  'redis://host/name',
  'redis://a:1,',
])('"%s" is refused, and the message says what to write', (url) => {
  expect(() => parseRedisUrl(url)).toThrow(
    expect.objectContaining({
      code: 'redis.url',
      retry: 'never',
      cause: expect.objectContaining({ message: expect.stringContaining('redis://host:port') }),
    }),
  )
})
