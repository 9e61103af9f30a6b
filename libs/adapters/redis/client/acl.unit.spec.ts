import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aclFile, commands, keyPatterns } from './acl'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

test('deploy/redis/plumbline.acl matches the code; update it with vitest run <this file> -u', async () => {
  await expect(aclFile()).toMatchFileSnapshot(join(root, 'deploy', 'redis', 'plumbline.acl'))
})

/** Commands that only the client library or the doctor sends. */
const ofConnections = [
  'asking',
  'client|setname',
  'cluster|info',
  'cluster|slots',
  'eval',
  'evalsha',
  'ping',
  'readonly',
]
const others = [...ofConnections, 'readwrite', 'select', 'command|info', 'discard', 'bzpopmin']

test('no command is granted that neither a script nor the code calls', () => {
  const files = [
    ...globSync('libs/{adapters/{redis,bullmq},features/*/store}/**/*.{ts,lua}', { cwd: root }),
    ...globSync('node_modules/bullmq/dist/cjs/scripts/*.js', { cwd: root }),
    'node_modules/bullmq/dist/cjs/classes/redis-queue-backend.js',
  ].filter((file) => !/acl\.|\.spec\./.test(file))
  const text = files.map(read).join('\n').toLowerCase()
  const isCalled = (command: string): boolean =>
    new RegExp(`(call\\(\\\\?\\s*['"]${command}['"])|(\\.${command}\\()`).test(text)
  expect(commands.filter((command) => !others.includes(command) && !isCalled(command))).toEqual([])
})

test('every command that the code calls by its name is granted', () => {
  const files = globSync('{apps,libs}/**/*.ts', { cwd: root }).filter(
    (file) => !/\.spec\.|\/spec\/|testing|apps\/e2e/.test(file),
  )
  const called = files.flatMap((file) => [...read(file).matchAll(/\bredis\.([a-z]+)\(/g)].map(([, name = '']) => name))
  const ofTheClient = ['call', 'disconnect', 'duplicate', 'nodes', 'off', 'on', 'pipeline', 'stop']
  expect([...new Set(called)].filter((name) => ![...commands, ...ofTheClient].includes(name))).toEqual([])
})

test('nothing is granted that changes, stops or reveals the server', () => {
  const dangerous =
    /^(acl|bgrewriteaof|bgsave|client$|client\|(kill|list|pause)|cluster$|config|debug|failover|flush|keys|migrate|module|monitor|move|object|psync|replicaof|restore|save|scan|script|shutdown|slaveof|slowlog|sort|swapdb|sync)/
  expect(commands.filter((command) => dangerous.test(command))).toEqual([])
  expect(keyPatterns.filter((pattern) => /^\*|^~?\*$/.test(pattern))).toEqual([])
  expect(commands).toEqual([...new Set(commands)].sort())
})
