import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasons } from '@plumbline/contracts'
import { problemKinds } from '@plumbline/gateway/http/problem'
import { breakingChanges } from './compare-descriptions'
import { openHouse, type House } from './house.spec'

const root = join(import.meta.dirname, '../../..')
const file = join(root, 'docs/openapi.json')
type Json = Record<string, unknown>
type Operation = { tags: string[]; operationId: string; responses: Record<string, unknown> }
type Description = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
  tags: { name: string; description: string }[]
}

let house: House
let text: string
let description: Description
beforeAll(async () => {
  house = await openHouse()
  description = (await (await fetch(`${house.url}/openapi.json`)).json()) as Description
  text = `${JSON.stringify(description, null, 2)}\n`
  // `npm run lab -- describe` updates the file. It writes breaking changes only with DESCRIBE=breaking.
  const wanted = process.env['DESCRIBE']
  if (wanted === undefined) return
  const before = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Json
  if (wanted === 'breaking' || breakingChanges(before, description as never).length === 0) await writeFile(file, text)
})
afterAll(() => house.close())

const operations = () => Object.values(description.paths).flatMap((methods) => Object.values(methods))
const refsIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref)

describe('the description of the API', () => {
  it('is the one in docs/openapi.json, and breaks no caller of that', async () => {
    const committed = await readFile(file, 'utf8')
    expect(
      breakingChanges(JSON.parse(committed) as Json, description as never),
      'these break callers; if that is meant, write the description with DESCRIBE=breaking npm run lab -- describe',
    ).toEqual([])
    expect(committed === text, 'docs/openapi.json is out of date: npm run lab -- describe').toBe(true)
  })

  it('passes the recommended rules of a linter without a warning', async () => {
    const lint = [
      join(root, 'node_modules/@redocly/cli/bin/cli.js'),
      'lint',
      file,
      '--extends=recommended',
      '--format=json',
    ]
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const { stdout } = await promisify(execFile)(process.execPath, lint, { env, maxBuffer: 2 ** 26 })
    const { totals, problems } = JSON.parse(stdout) as { totals: Json; problems: { message: string }[] }
    expect(problems.map(({ message }) => message)).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  it('names every shape of the contracts that it shows, every reason and every problem', () => {
    const { schemas } = description.components
    for (const name of ['RunView', 'Ask', 'Filters', 'StreamEvent', 'LedgerEvent', 'Problem', 'WebhookMessage'])
      expect(Object.keys(schemas)).toContain(name)
    expect(schemas['Reason']).toMatchObject({ enum: Object.keys(reasons) })
    const said = JSON.stringify(description.paths)
    // No operation documents this problem, because it is the response to a method that the path does not have.
    const kinds = problemKinds.filter((kind) => kind !== 'method-not-allowed')
    expect(kinds.filter((kind) => !said.includes(`#/components/examples/${kind}"`))).toEqual([])
    const known = new Set(
      Object.entries(description.components).flatMap(([kind, all]) =>
        Object.keys(all as object).map((name) => `#/components/${kind}/${name}`),
      ),
    )
    expect(refsIn(description).filter((ref) => !known.has(ref))).toEqual([])
  })

  it('tags every operation, and says what it answers when it refuses', () => {
    const tags = description.tags.map(({ name }) => name)
    for (const { tags: own, operationId, responses } of operations()) {
      expect(
        own.every((tag) => tags.includes(tag)),
        operationId,
      ).toBe(true)
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['500', '503']))
    }
    expect(Object.keys(description.paths['/v1/runs']?.['post']?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '202', '400', '401', '403', '409', '413', '415', '422', '429', '503']),
    )
  })

  it('lets answers grow: only what is sent refuses what it does not know', () => {
    expect(description.components.schemas['RunView']).not.toHaveProperty('additionalProperties')
    expect(description.components.schemas['Ask']).toHaveProperty('additionalProperties', false)
  })
})
