import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '@plumbline/platform'
import { build, start, type Started } from './spec/start'
import { openShell, replaced, rewritten } from './spec/transcript'

const root = join(import.meta.dirname, '..', '..')
const inRoot = (...parts: string[]): string => join(root, ...parts)
const page = readFileSync(inRoot('docs', 'use', 'api.md'), 'utf8')
const readme = readFileSync(inRoot('libs', 'client', 'README.md'), 'utf8')
const examples = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code)
const started = examples(page, 'sh').find((code) => code.includes('npm start')) ?? ''

const [, key = ''] = /API_KEYS=([^:]+):/.exec(started) ?? []

let dir: string
let local: Started
let places: Map<string, string>
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}`, PLUMBLINE_KEY: key }
const run = (command: string, args: string[], cwd = dir) => promisify(execFile)(command, args, { cwd, env })
const here = (code: string): string => replaced(code, new Map([...places, ['<key>', key]]))

beforeAll(async () => {
  await build()
  dir = mkdtempSync(join(tmpdir(), 'plumbline-page-'))
  const [port, receiver] = [await freePort(), await freePort()]
  places = new Map([
    ['127.0.0.1:3000', `127.0.0.1:${port}`],
    ['127.0.0.1:4000', `127.0.0.1:${receiver}`],
    ['listen(4000', `listen(${receiver}`],
    ['/tmp/', `${dir}/`],
  ])
  const settings = [...here(started).matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])
  local = start('local', [], { ...Object.fromEntries(settings), DATA_DIR: join(dir, 'data'), PORT: `${port}` })
  await local.says('Plumbline is ready', 60_000)
}, 120_000)
afterAll(async () => {
  await local.ends('SIGTERM')
  rmSync(dir, { recursive: true, force: true })
})

/** Checks the types of these files as in a user's project, which has only the packages in its own folder. */
const checkTypes = async (folder: string, ...files: string[]): Promise<void> => {
  const types = join(folder, 'node_modules', '@types')
  mkdirSync(types, { recursive: true })
  for (const name of ['@types/node', 'undici-types'])
    if (!existsSync(join(folder, 'node_modules', name)))
      symlinkSync(inRoot('node_modules', name), join(folder, 'node_modules', name))
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
  await run(process.execPath, [inRoot('node_modules', 'typescript-native', 'bin', 'tsc'), ...options, ...files], folder)
}

// These specs run several external programs one after another.
const long = { timeout: 180_000 }

describe('docs/use/api.md', long, () => {
  it('shows what its commands answer', async () => {
    const shell = openShell(root, env)
    try {
      await expect(await rewritten(page, shell, places)).toMatchFileSnapshot(inRoot('docs', 'use', 'api.md'))
    } finally {
      shell.close()
    }
  })

  const python = process.env.PATH?.split(':').some((folder) => existsSync(join(folder, 'python3')))
  if (!python) process.stdout.write('The Python example is not run: there is no python3 on PATH.\n')
  it.runIf(python)('asks, watches and is refused from Python', async () => {
    const [code = ''] = examples(page, 'python')
    const { stdout } = await run('python3', ['-c', here(code)])
    expect(stdout).toMatch(
      /^answered For Saturn.*146 \[1\]\.\n[^]*\nasked\nrouted\n[^]*\nended\n400 question: write a question\n$/,
    )
  })

  it('asks with types made from the description', async () => {
    const folder = mkdtempSync(join(dir, 'typed-'))
    const [code = ''] = examples(page, 'ts')
    const command = examples(page, 'sh').find((one) => one.includes('openapi-typescript')) ?? ''
    const [, from = '', out = ''] = /openapi-typescript (\S+) -o (\S+)/.exec(here(command)) ?? []
    await run(
      process.execPath,
      [inRoot('node_modules', 'openapi-typescript', 'bin', 'cli.js'), from, '-o', out],
      folder,
    )
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'ask.ts'), here(code))
    await checkTypes(folder, 'ask.ts')
    expect((await run(process.execPath, ['ask.ts'], folder)).stdout).toMatch(/^answered For Saturn.*146 \[1\]/)
  })
})

const wrong = `import { createClient } from '@plumbline/client'
const run = await createClient({ url: '' }).ask({ question: 7 })
console.log(run.nothing)
`

describe('the package of the client', long, () => {
  it('is installed by a stranger without a network, and its page holds in TypeScript and at work', async () => {
    const [built, folder] = [mkdtempSync(join(dir, 'built-')), mkdtempSync(join(dir, 'stranger-'))]
    const { stdout } = await run(process.execPath, [inRoot('tools', 'build', 'client.mjs'), built])
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', stdout.trim()], folder)
    const installed = join(folder, 'node_modules', '@plumbline', 'client')
    const named = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>
    expect(named).toMatchObject({ version: '0.1.0', license: 'Apache-2.0' })
    expect(named).not.toHaveProperty('dependencies')
    for (const file of ['index.js', 'index.d.ts'])
      expect(readFileSync(join(installed, file), 'utf8')).not.toMatch(/^(import|export) .*from '/m)
    for (const file of ['README.md', 'LICENSE', 'LICENSES.txt']) expect(existsSync(join(installed, file))).toBe(true)

    const codes = examples(readme, 'ts')
    codes.forEach((code, at) => writeFileSync(join(folder, `example-${at}.ts`), here(code)))
    await checkTypes(folder, ...codes.map((_, at) => `example-${at}.ts`))
    writeFileSync(join(folder, 'wrong.ts'), wrong)
    await expect(checkTypes(folder, 'wrong.ts')).rejects.toMatchObject({
      stdout: expect.stringMatching(/'number' is not assignable to type 'string'[^]*'nothing' does not exist on type/),
    })
    const told: string[] = []
    for (const [at] of codes.entries()) told.push((await run(process.execPath, [`example-${at}.ts`], folder)).stdout)
    expect(told).toEqual([
      expect.stringMatching(
        /^answered For Saturn.*146 \[1\]\.\n[^]*\nanswered The planets in tables\nasked\n[^]*\nended\n$/,
      ),
      expect.stringMatching(/^(?!asked|routed)[^]*\nended\n$/),
      expect.stringMatching(/^run\.answered .*24\.7/),
      expect.stringMatching(/indexed\nFerries\n2\n400 question: write a question undefined\n$/),
    ])
  })
})
