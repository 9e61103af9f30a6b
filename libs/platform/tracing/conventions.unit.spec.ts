import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')
const ofSdk = createRequire(createRequire(import.meta.url).resolve('@opentelemetry/sdk-trace'))
const conventions = ofSdk('@opentelemetry/semantic-conventions/incubating') as Record<string, unknown>
const names = new Set(Object.entries(conventions).flatMap(([key, name]) => (key.startsWith('ATTR_') ? [name] : [])))
const listed = [
  ...readFileSync(join(root, 'docs', 'run', 'tracing.md'), 'utf8').matchAll(
    /`((?:gen_ai|messaging|db|http|server|error)\.[\w.]+)`/g,
  ),
]

it('every attribute in docs/run/tracing.md that is not ours exists in the named release of the conventions', () => {
  const installed = join(dirname(ofSdk.resolve('@opentelemetry/semantic-conventions')), '..', 'package.json')
  expect(JSON.parse(readFileSync(installed, 'utf8'))).toMatchObject({ version: '1.45.0' })
  const used = new Set(listed.map(([, name]) => name))
  expect(used.size).toBeGreaterThan(20)
  expect([...used].filter((name) => !names.has(name))).toEqual([])
})
