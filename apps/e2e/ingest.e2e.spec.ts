import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { openHouse, type House } from './house'
import { changeWater, makeFolder } from './mixed-folder'

const root = join(import.meta.dirname, '..', '..')
const data = join(root, '..', 'shared', 'data', 'parsers')
const collection = 'papers'

let house: House
let folder: string
let brought: { made: number; copied: number }

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'tools', 'bootstrap', 'main.mjs'), 'build'])
  folder = await mkdtemp(join(tmpdir(), 'plumbline-mixed-'))
  brought = makeFolder(folder, data)
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

describe(`a folder of mixed files${process.env.CI ? '' : ', with real ones where ../shared/data is there'}`, () => {
  it('is brought in as a whole, and told file by file', { timeout: 180_000 }, async () => {
    const { code, told } = await ingest(folder)
    const all = brought.made + brought.copied
    if (brought.copied > 0) expect(all).toBeGreaterThanOrEqual(30)
    expect(told).toContain(`${all} documents`)
    expect(told).toContain('2 left out: 1 empty, 1 .zip')
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
      const { code, told } = await ingest(
        folder,
        '--description',
        'Water of the plants, travel, depots, sensors, a museum and field notes.',
      )
      expect((await house.client.collection(collection)).description).toMatch(/^Water of the plants/)
      expect(told).toContain('reports/water.pdf: 2 pages')
      expect(told).toMatch(/reports\/water\.pdf: .*a new version/)
      expect(told.match(/: unchanged$/gm)).toHaveLength(brought.made + brought.copied - 2)
      expect(code).toBe(1)
      const { answer } = await ask('How many million litres did the Lindale plant replenish in 2023?')
      expect(JSON.stringify(answer)).toContain('538')
      expect(JSON.stringify(answer)).not.toContain('412')
    },
  )

  it('stops at Ctrl-C, says what goes on, and goes on where it stopped', { timeout: 120_000 }, async () => {
    const words = [folder, '--collection', 'again', '--concurrency', '1']
    const { code, told } = await start(words, (said, interrupt) => said.includes('[2/') && interrupt())
    expect(code).toBe(130)
    expect(told).toMatch(/Stopped\. \d+ documents of \d+ are done; no more are sent\./)
    expect(told).toContain('goes on by itself')
    expect((await house.client.collection('again')).documents).toBeLessThan(brought.made + brought.copied)
    const second = await start(words)
    expect(second.told).toMatch(/: unchanged$/m)
    expect((await house.client.collection('again')).documents).toBe(brought.made + brought.copied)
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
