import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { openHouse, type House } from './house'
import { changeWater, makeFolder } from './mixed-folder'

const root = join(import.meta.dirname, '..', '..')
const collection = 'papers'

let house: House
let folder: string
let brought: { made: number; copied: number }

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'tools', 'bootstrap', 'main.mjs'), 'build'])
  folder = await mkdtemp(join(tmpdir(), 'plumbline-mixed-'))
  brought = makeFolder(folder)
  house = await openHouse()
}, 120_000)
afterAll(async () => {
  await house.close()
  await rm(folder, { recursive: true })
})

const start = (
  words: string[],
  heard: (told: string, interrupt: () => void) => void = () => undefined,
): Promise<{ code: number | null; told: string }> =>
  new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [join(root, 'dist', 'cli', 'main.mjs'), 'ingest', '--url', house.url, '--collection', collection, ...words],
      { env: { PATH: process.env.PATH ?? '' } },
    )
    let told = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => heard((told += chunk.toString()), () => void child.kill('SIGINT')))
    child.once('exit', (code) => resolve({ code, told }))
  })
const ingest = (...words: string[]) => start(words)
const ask = async (question: string): Promise<RunView> => {
  const response = await fetch(`${house.url}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'wait=30' },
    body: JSON.stringify({ question, collection }),
  })
  return (await response.json()) as RunView
}

describe('a folder of mixed files', () => {
  it('is brought in as a whole, and told file by file', { timeout: 180_000 }, async () => {
    const { code, told } = await ingest(folder)
    const all = brought.made + brought.copied
    expect(all).toBeGreaterThanOrEqual(30)
    expect(told).toContain(`${all} documents`)
    expect(told).toContain('2 skipped: 1 empty, 1 .mp4')
    expect(told).toMatch(new RegExp(`\\[${all}/${all}\\]`))
    expect(told).toMatch(/FAILED reports\/broken\.pdf: /)
    expect(told).toMatch(/ {2}format +files/)
    expect(told).not.toMatch(/secret|node_modules|\x1b/)
    expect(code).toBe(1)
    expect((await house.client.collection(collection)).documents).toBe(all)
  })

  it.each([
    [
      'How many million litres did the Lindale plant replenish in 2023?',
      '412',
      'reports/water.pdf',
      2,
      'Replenishment',
    ],
    ['Whose approval do flights need?', 'department head', 'reports/travel policy.docx', undefined, 'Flights'],
    ['How many trucks does the Arvika depot have?', '14', 'figures/depots.xlsx', 1, 'Depots'],
    ['What is the voltage of the pump P7?', '24', 'figures/components.csv', undefined, undefined],
    ['When does the Kestrel sensor ship?', 'October 2025', 'slides/roadmap.pptx', 2, 'Roadmap'],
    ['When does the harbour museum open on Sundays?', '10:30', 'web/museum.html', undefined, 'Opening hours'],
    ['How often must the Tarn filter be rinsed?', '90 days', 'manual.adoc', undefined, 'Cleaning'],
    ['Who is the treasurer that the board chose?', 'Tove Lind', 'minutes.txt', undefined, undefined],
    ['How many stones did camp 5 log?', '35', 'notes/camp-5.md', undefined, 'Finds'],
  ])('%s', async (question, says, file, page, heading) => {
    const { status, answer } = await ask(question)
    expect(status).toBe('answered')
    const quote = answer?.quotes?.find(({ text }) => text.includes(says))
    expect(quote).toMatchObject({ file })
    expect(quote?.page).toBe(page)
    expect(quote?.headingPath.at(-1)).toBe(heading)
  })

  it(
    'brought again sends nothing new but what changed, and the answer changes with it',
    { timeout: 120_000 },
    async () => {
      changeWater(folder, 538)
      const settings = { owner: 'Water desk', questions: ['How much water did Lindale replenish?'] }
      await house.client.putCollection(collection, { description: 'Before.', ...settings })
      const { code, told } = await ingest(
        folder,
        '--description',
        'Water of the plants, travel, depots, sensors, a museum and field notes.',
      )
      const view = await house.client.collection(collection)
      expect(view).toMatchObject(settings)
      expect(view.description).toMatch(/^Water of the plants/)
      expect(told).toContain('reports/water.pdf: 2 pages')
      expect(told).toMatch(/reports\/water\.pdf: .*a new version/)
      const all = brought.made + brought.copied
      // Two files are sent: the changed file, and the file that failed before.
      expect(told).toMatch(/\[2\/2\]/)
      expect(told).toMatch(new RegExp(`^ {2}all +${all} .* ${all - 2} +1$`, 'm'))
      expect(code).toBe(1)
      const { answer } = await ask('How many million litres did the Lindale plant replenish in 2023?')
      expect(JSON.stringify(answer)).toContain('538')
      expect(JSON.stringify(answer)).not.toContain('412')
    },
  )

  it('stops at Ctrl-C, says what continues, and resumes later', { timeout: 120_000 }, async () => {
    const words = [folder, '--collection', 'again', '--concurrency', '1']
    const { code, told } = await start(words, (said, interrupt) => said.includes('[2/') && interrupt())
    expect(code).toBe(130)
    expect(told).toMatch(/Stopped\. \d+ documents of \d+ are done\. No further documents are sent\./)
    expect(told).toContain('are still processed')
    expect((await house.client.collection('again')).documents).toBeLessThan(brought.made + brought.copied)
    const second = await start(words)
    expect(second.told).toMatch(/^ {2}format .* unchanged/m)
    expect((await house.client.collection('again')).documents).toBe(brought.made + brought.copied)
  })

  it('with --prune is what the folder is: what went is removed, what moved is found in its new place only', async () => {
    const small = await mkdtemp(join(tmpdir(), 'plumbline-small-'))
    const write = (name: string, text: string) => writeFile(join(small, name), text)
    for (const at of [1, 2, 3, 4, 5, 6]) await write(`note-${at}.md`, `# Note ${at}\n\nThe key of room ${at} is red.\n`)
    const words = [small, '--collection', 'small', '--prune', '--json']
    const names = async () =>
      (await house.client.documents({ collection: 'small', limit: 100 })).items.map(({ name }) => name).sort()
    await start(words)
    await house.client.addDocument({ title: 'A text', text: 'Nobody’s file.', collection: 'small', name: 'a text' })
    await write('note-2.md', '# Note 2\n\nThe key of room 2 is blue.\n')
    await rename(join(small, 'note-3.md'), join(small, 'moved.md'))
    await rm(join(small, 'note-4.md'))
    const { code, told } = await start(words)
    expect(code).toBe(0)
    const result = JSON.parse(told.split('\n').find((line) => line.startsWith('{')) ?? '') as {
      documents: { name: string; taken: string }[]
      removed: string[]
    }
    const taken = result.documents.filter(({ taken: how }) => how !== 'unchanged').map(({ name }) => name)
    expect(taken.sort()).toEqual(['moved.md', 'note-2.md'])
    expect(result.removed.sort()).toEqual(['note-3.md', 'note-4.md'])
    expect(await names()).toEqual(['a text', 'moved.md', 'note-1.md', 'note-2.md', 'note-5.md', 'note-6.md'])

    const wrong = await mkdtemp(join(tmpdir(), 'plumbline-wrong-'))
    await writeFile(join(wrong, 'other.md'), 'Another.')
    const refused = await start([wrong, '--collection', 'small', '--prune'])
    expect(refused).toMatchObject({ code: 1, told: expect.stringContaining('add --yes') as string })
    expect(await names()).toHaveLength(6)

    const shown = await start(['ls', 'note', '--collection', 'small'])
    expect(shown.told).toMatch(/note-1\.md +1 passage[^]*5 documents in small/)
    const unknown = await start(['rm', 'note-1.md', 'note-9.md', '--collection', 'small'])
    expect(unknown).toMatchObject({ code: 1, told: expect.stringContaining('note-9.md is not in small') as string })
    expect((await start(['rm', 'note-1.md', '--collection', 'small'])).code).toBe(0)
    expect(await names()).not.toContain('note-1.md')
    await Promise.all([small, wrong].map((path) => rm(path, { recursive: true })))
  })

  it('with --watch brings each change in as it happens', async () => {
    const small = await mkdtemp(join(tmpdir(), 'plumbline-watched-'))
    const write = (name: string, text: string) => writeFile(join(small, name), text)
    await write('one.md', '# One\n\nThe gate is green.\n')
    let stop = (): void => undefined
    let heard = ''
    const ended = start([small, '--collection', 'watched', '--prune', '--yes', '--watch'], (told, interrupt) => {
      heard = told
      stop = interrupt
    })
    const names = async () =>
      (await house.client.documents({ collection: 'watched' })).items
        .filter(({ status }) => status === 'indexed')
        .map(({ name }) => name)
    await expect.poll(() => heard, { timeout: 50_000 }).toContain('Watching')
    await write('two.md', '# Two\n\nThe gate is yellow.\n')
    await expect.poll(names, { timeout: 20_000 }).toContain('two.md')
    await rm(join(small, 'one.md'))
    await expect.poll(names, { timeout: 20_000 }).toEqual(['two.md'])
    stop()
    expect((await ended).code).toBe(130)
    await rm(small, { recursive: true })
  })

  it('is read as Markdown through the API, and gone from answers once removed', async () => {
    const { items } = await house.client.documents({ collection, limit: 100 })
    const water = items.find(({ name }) => name === 'reports/water.pdf')!
    expect(await house.client.documentText(water.id)).toContain('The Lindale plant replenished 538 million litres')
    expect((await house.client.documentContent(water.id)).parts.map(({ page }) => page)).toEqual([1, 2])
    expect(items.filter(({ status }) => status === 'failed').map(({ name, problem }) => [name, problem?.code])).toEqual(
      [['reports/broken.pdf', 'document.truncated']],
    )
    await house.client.removeDocument(water.id)
    const { answer } = await ask('How many million litres did the Lindale plant replenish in 2023?')
    expect(JSON.stringify(answer ?? '')).not.toContain('538')
  })
})

describe('a question that comes before its documents are read', () => {
  it('is told how many are still being read, and finds them later', async () => {
    await house.client.pauseStage('ingest')
    const ferries = { title: 'Ferries', text: '# Ferries\n\nThe Tern has 64 seats.', collection: 'harbour' }
    const { id } = await house.client.addDocument(ferries)
    const question = { question: 'How many seats does the Tern have?', collection: 'harbour' }
    const early = await house.client.ask(question, { waitSeconds: 30 })
    expect(early).toMatchObject({ status: 'unanswered', reason: 'unanswered.nothing-found' })
    expect(early.answer?.text).toContain('1 document is still being read. Ask again when that is done.')
    await house.client.resumeStage('ingest')
    await expect.poll(async () => (await house.client.document(id)).status).toBe('indexed')
    const later = await house.client.ask(question, { waitSeconds: 30 })
    expect(JSON.stringify(later.answer)).toContain('64 seats')
  })
})
