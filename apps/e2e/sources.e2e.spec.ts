import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silent } from '@plumbline/platform'
import { openHouse, type House } from './house'

const root = join(import.meta.dirname, '..', '..')
let house: House
let folder: string

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'tools', 'bootstrap', 'main.mjs'), 'build'])
  folder = await mkdtemp(join(tmpdir(), 'plumbline-handbook-'))
  house = await openHouse({ stages: [], log: silent, env: { SOURCE_FOLDERS: folder } })
}, 120_000)
afterAll(async () => {
  await house.close()
  await rm(folder, { recursive: true })
})

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)

/** Runs the command as if a person typed `npm run plumbline -- sources …`. */
const sourcesAt = (url: string, words: string[]): Promise<{ code: number | null; said: string; progress: string }> =>
  new Promise((resolve) => {
    const script = join(root, 'dist', 'cli', 'main.mjs')
    const env = { PATH: process.env.PATH ?? '' }
    const child = spawn(process.execPath, [script, 'sources', ...words, '--url', url], { env })
    let [said, progress] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (progress += chunk.toString()))
    child.once('close', (code) => resolve({ code, said, progress }))
  })
const sources = (...words: string[]) => sourcesAt(house.url, words)
const names = async (): Promise<(string | undefined)[]> =>
  (await house.client.documents({ limit: 100 })).items.map(({ name }) => name).sort()

it('lists the sources, and says what to do without any or for an unknown name', async () => {
  expect(await sources()).toMatchObject({ code: 0, said: expect.stringContaining('add <name> <folder or address>') })
  for (const words of [
    ['show', 'wiki'],
    ['run', 'wiki'],
    ['remove', 'wiki', '--documents', 'keep'],
  ]) {
    const { code, progress } = await sources(...words)
    expect([code, progress]).toEqual([1, 'There is no source wiki. npm run plumbline -- sources lists all sources.\n'])
  }
  const elsewhere = await sources('add', 'etc', '/etc')
  expect(elsewhere).toMatchObject({ code: 1, progress: expect.stringContaining('that SOURCE_FOLDERS contains') })
  expect((await house.client.sources()).items).toEqual([])
})

it('says that the gateway does not offer sources, and syncs nothing', async () => {
  expect(await house.metrics()).toContain('plumbline_source_run_seconds')
  const without = await openHouse({ stages: [], log: silent, env: { FEATURES: 'openai' } })
  try {
    for (const words of [[], ['show', 'wiki'], ['run', 'wiki'], ['add', 'wiki', folder]])
      expect(await sourcesAt(without.url, words)).toMatchObject({
        code: 1,
        said: '',
        progress: expect.stringContaining('There is nothing at this address.'),
      })
    expect(await without.metrics()).not.toContain('plumbline_source')
  } finally {
    await without.close()
  }
})

it('brings a folder in, tells what failed and why, and keeps in step with it', { timeout: 180_000 }, async () => {
  await mkdir(join(folder, 'pay'))
  await write('pay/bands.md', 'Band three earns 41,000 a year.')
  await write('travel.md', 'Flights need the approval of the department head.')
  await write('rooms.md', 'The blue room seats twelve.')
  await write('broken.pdf', 'this is no PDF')
  await write('song.mp3', 'nothing to read')
  const added = await sources('add', 'handbook', folder, '--access', 'pay/**=pay')
  expect([added.code, added.said]).toEqual([
    0,
    `handbook  folder  ${folder}
  0 documents in default, idle; manual (npm run plumbline -- sources run)
  pay/** for pay
  all other files for everybody
  not synced yet
To sync it now: npm run plumbline -- sources run handbook
`,
  ])
  const first = await sources('run', 'handbook')
  expect(first.code).toBe(1)
  expect(first.progress).toMatch(/waiting for an ingestor|listing|importing/)
  expect(first.said).toContain(': 3 added, 1 skipped (empty, or in an unsupported format), 1 failed\n')
  expect(first.said).toMatch(/✗ broken\.pdf: .*is named like a PDF/)
  const listed = await sources()
  expect(listed.said).toContain('to list the failures: npm run plumbline -- sources show handbook')
  expect(listed.said).not.toContain('✗')
  expect((await sources('show', 'handbook')).said).toBe(first.said)

  await rm(join(folder, 'broken.pdf'))
  await rm(join(folder, 'rooms.md'))
  await rename(join(folder, 'travel.md'), join(folder, 'flights.md'))
  await write('pay/bands.md', 'Band three earns 43,000 a year.')
  const second = await sources('run', 'handbook')
  expect([second.code, second.said]).toEqual([0, expect.stringContaining(': 1 changed, 1 moved, 2 removed, 1 skipped')])
  expect(await names()).toEqual(['handbook/flights.md', 'handbook/pay/bands.md'])
})

it('keeps the settings that a change of a source does not mention, above all the access rules', async () => {
  const { code, said } = await sources('add', 'handbook', folder, '--cron', '0 3 * * *')
  expect(code).toBe(0)
  expect(said).toMatch(/at 0 3 \* \* \* UTC, next .* 03:00 UTC/)
  expect(said).toContain('  pay/** for pay\n')
  await sources('add', 'handbook', folder, '--access', '**=')
  expect(await house.client.source('handbook')).toMatchObject({
    schedule: { by: 'cron' },
    access: [{ paths: '**', access: [] }],
  })
  await sources('add', 'handbook', folder, '--every', 'never')
  expect((await house.client.source('handbook')).schedule).toEqual({ by: 'button' })

  const site = ['add', 'site', 'https://example.org/docs/']
  await sources(...site, '--set', 'depth=1', '--set', 'exclude=/docs/old/')
  await sources(...site, '--set', 'depth=2')
  expect((await house.client.source('site')).settings).toMatchObject({ depth: 2, exclude: ['/docs/old/'] })
  await sources('add', 'site', 'https://example.org/wiki/')
  expect((await house.client.source('site')).settings).toMatchObject({ depth: 3, exclude: [] })
  await sources('remove', 'site', '--documents', 'keep')
})

it('tells of a run that could not begin, and of what is kept until it is confirmed', { timeout: 180_000 }, async () => {
  await sources('add', 'nowhere', join(folder, 'nowhere'))
  const nowhere = await sources('run', 'nowhere')
  expect([nowhere.code, nowhere.said]).toEqual([
    1,
    expect.stringMatching(/: nothing was changed\n {2}There is no folder/),
  ])
  await sources('remove', 'nowhere', '--documents', 'remove')

  await mkdir(join(folder, 'notes'))
  for (let n = 0; n < 22; n += 1) await write(`notes/${n}.md`, `Note ${n} tells of camp ${n}.`)
  await sources('add', 'notes', join(folder, 'notes'))
  expect((await sources('run', 'notes')).code).toBe(0)
  for (let n = 0; n < 21; n += 1) await rm(join(folder, 'notes', `${n}.md`))
  const held = await sources('run', 'notes')
  expect(held.code).toBe(1)
  expect(held.said.replaceAll(/\s+/g, ' ')).toContain('21 of 22 documents are no longer at the source')
  expect(held.said).toContain('To remove them: npm run plumbline -- sources run notes --confirm-removals\n')
  const confirmed = await sources('run', 'notes', '--confirm-removals')
  expect([confirmed.code, confirmed.said]).toEqual([0, expect.stringContaining(': 21 removed, 1 unchanged')])
})

it('is removed, and its documents are kept or removed as requested', { timeout: 180_000 }, async () => {
  expect(await sources('remove', 'notes')).toMatchObject({ code: 2, progress: expect.stringContaining('keep, or') })
  const gone = await sources('remove', 'notes', '--documents', 'remove')
  expect([gone.code, gone.said]).toEqual([0, 'The source notes was removed. Its documents were removed too.\n'])
  const kept = await sources('remove', 'handbook', '--documents', 'keep', '--json')
  expect([kept.code, JSON.parse(kept.said)]).toEqual([0, { removed: 'handbook' }])
  expect(await names()).toEqual(['handbook/flights.md', 'handbook/pay/bands.md'])
  expect(JSON.parse((await sources('--json')).said)).toEqual({ sources: [] })
})
