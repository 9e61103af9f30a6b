import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, ProblemError } from '@plumbline/client'
import { bounds } from '@plumbline/gateway/settings'
import { openPageDrawer } from '@plumbline/parsing'
import { prose, writePdf } from '@plumbline/parsing/spec/written-pdf'
import { openHouse, type House } from './house.spec'

const apiKeys = 'staff-key-1:a:asker:staff, everyone-1:a:asker, admin-key-1:a:admin:*, other-key-1:b:admin:*'
const pdf = (words: string) =>
  new Blob([Buffer.from(writePdf([{ put: prose(['A first page.'], 72, 90) }, { put: prose([words], 72, 200) }]))])

let house: House
let ocrFolder: string
let pages: ReturnType<typeof openPageDrawer>
const as = (key: string) => createClient({ url: house.url, key })
const { drawMs } = bounds
beforeAll(async () => {
  bounds.drawMs = 110_000
  ocrFolder = await mkdtemp(join(tmpdir(), 'plumbline-pages-'))
  pages = openPageDrawer(ocrFolder, ['eng'])
  house = await openHouse({ apiKeys, pages })
})
afterAll(async () => {
  bounds.drawMs = drawMs
  await house.close()
  await pages.close()
  await rm(ocrFolder, { recursive: true })
})

const refused = (promise: Promise<unknown>): Promise<number> =>
  promise.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof ProblemError) return error.problem.status
      throw error
    },
  )
const isPng = async (image: Blob): Promise<boolean> =>
  Buffer.from(await image.arrayBuffer())
    .subarray(1, 4)
    .toString() === 'PNG'

describe('a page of a document', () => {
  it('is drawn with the positions of its words, for readers of the document', async () => {
    const about = { name: 'pay.pdf', access: ['staff'] }
    const { id } = await as('admin-key-1').uploadDocument(pdf('The Orrin plant pays 810 a day.'), 'pay.pdf', about)
    expect(await isPng(await as('staff-key-1').pageImage(id, 2))).toBe(true)
    const { width, height, words } = await as('staff-key-1').pageWords(id, 2)
    expect([width, height]).toEqual([612, 792])
    expect(words.map(({ text }) => text).join(' ')).toContain('Orrin plant pays 810')
    const first = words.find(({ text }) => text === 'Orrin')
    expect(first?.x).toBeGreaterThan(72)
    expect(first?.y).toBeGreaterThan(180)
    expect((first?.y ?? 0) + (first?.height ?? 0)).toBeLessThan(210)
    for (const key of ['everyone-1', 'other-key-1'])
      for (const asked of [as(key).pageImage(id, 2), as(key).pageWords(id, 2)]) expect(await refused(asked)).toBe(404)
    expect(await refused(createClient({ url: house.url }).pageImage(id, 2))).toBe(401)
  })

  it('is drawn again for a new version', async () => {
    const bring = (words: string) => as('admin-key-1').uploadDocument(pdf(words), 'news.pdf', { name: 'news.pdf' })
    const { id } = await bring('Old news.')
    const words = async () => (await as('admin-key-1').pageWords(id, 2)).words.map(({ text }) => text).join(' ')
    expect(await words()).toBe('Old news.')
    await bring('New news.')
    expect(await words()).toBe('New news.')
  })

  it('waits behind few others of its tenant: more are told to retry, and another tenant’s is drawn', async () => {
    const sheets = Array.from({ length: 12 }, (_, at) => ({ put: prose([`Sheet ${at + 1}.`], 72, 90) }))
    const many = new Blob([Buffer.from(writePdf(sheets))])
    const { id } = await as('admin-key-1').uploadDocument(many, 'many.pdf', {})
    const other = await as('other-key-1').uploadDocument(many, 'many.pdf', {})
    const all = sheets.map((_, at) => refused(as('admin-key-1').pageImage(id, at + 1)))
    const [statuses, others] = await Promise.all([Promise.all(all), refused(as('other-key-1').pageImage(other.id, 1))])
    expect(others).toBe(200)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(8)
  })

  it('is not there when its document is removed while it is drawn', async () => {
    const sheets = Array.from({ length: 6 }, (_, at) => ({ put: prose([`Sheet ${at + 1}.`], 72, 90) }))
    const brought = new Blob([Buffer.from(writePdf(sheets))])
    const { id } = await as('admin-key-1').uploadDocument(brought, 'going.pdf', {})
    const all = sheets.map((_, at) => refused(as('admin-key-1').pageImage(id, at + 1)))
    await as('admin-key-1').removeDocument(id)
    expect((await Promise.all(all)).filter((status) => status !== 200 && status !== 404)).toEqual([])
  })

  it('is missing if the page does not exist or the format has no pages', async () => {
    const { id } = await as('admin-key-1').uploadDocument(pdf('Short.'), 'short.pdf', {})
    for (const page of [3, 0, -1, 1.5, 1_000_000])
      expect(await refused(as('admin-key-1').pageImage(id, page))).toBe(404)
    const text = await as('admin-key-1').addDocument({ title: 'T', text: '# T' })
    expect(await refused(as('admin-key-1').pageImage(text.id, 1))).toBe(404)
    const broken = new Blob([Buffer.from(writePdf([{ put: [] }])).subarray(0, 200)])
    const cut = await as('admin-key-1').uploadDocument(broken, 'broken.pdf', {})
    expect(await refused(as('admin-key-1').pageImage(cut.id, 1))).toBe(409)
  })
})
