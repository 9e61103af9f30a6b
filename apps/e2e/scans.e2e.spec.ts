import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentView, RunView } from '@plumbline/contracts'
import { drawn, photographed, receipt, scanned, unreadable } from '@plumbline/parsing/spec/scans'
import { prose } from '@plumbline/parsing/spec/written-pdf'
import { openHouse, type House } from './house'

let house: House
let report: DocumentView
let till: DocumentView

const bring = async (name: string, bytes: Uint8Array): Promise<DocumentView> => {
  const blob = new Blob([new Uint8Array(bytes)])
  const { id } = await house.client.uploadDocument(blob, name, { collection: 'scans' })
  for await (const { status, error } of house.client.documentEvents(id)) if (status === 'failed') throw new Error(error)
  return house.client.document(id)
}

beforeAll(async () => {
  house = await openHouse()
  const lines = ['The Lindale plant replenished 412 million litres', 'of water in 2023.']
  report = await bring('report.pdf', await scanned([await drawn({ put: prose(lines, 72, 120) }), unreadable()]))
  till = await bring('receipt.jpg', await (await photographed(await drawn(receipt, 150))).jpeg().toBuffer())
}, 180_000)
afterAll(() => house.close())

const ask = (question: string): Promise<RunView> =>
  house.client.ask({ question, collection: 'scans' }, { waitSeconds: 30 })

describe('scans and pictures', () => {
  it('are answered from, and an answer that cites them says what may be wrong', async () => {
    const { status, answer } = await ask('How many million litres did the Lindale plant replenish in 2023?')
    expect(status).toBe('answered')
    const quote = answer?.quotes?.find(({ text }) => text.includes('412'))
    expect(quote).toMatchObject({
      file: 'report.pdf',
      page: 1,
      warnings: [
        { kind: 'no-text', words: expect.stringContaining('Page 2') as unknown },
        { kind: 'ocr', words: expect.stringContaining('page 1') as unknown },
      ],
    })
    const citation = answer?.citations.find(({ file }) => file === 'report.pdf')
    expect(citation?.warnings).toEqual(quote?.warnings)
  })

  it('are reported page by page', () => {
    expect(report).toMatchObject({
      status: 'indexed',
      warnings: [
        { kind: 'no-text', pages: [2] },
        { kind: 'ocr', pages: [1] },
      ],
    })
    expect(till.warnings).toMatchObject([{ kind: 'ocr', pages: [1] }])
  })

  it('give the figures of a photographed receipt', async () => {
    const { answer } = await ask('What does the receipt of Harbour Grocery say of the TOTAL?')
    expect(JSON.stringify(answer)).toContain('25.35')
  })
})
