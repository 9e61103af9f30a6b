import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPdf } from './index'

/** Data to test with stands beside the repository, or where EVAL_DATA says. */
const root = process.env['EVAL_DATA'] ?? '../shared/data'
const hasData = existsSync(`${root}/parsers/pdf`)
const skipped = hasData ? '' : ` — SKIPPED: no ${root}`

const read = async (file: string): Promise<string> => {
  const { parts } = await readPdf(readFileSync(`${root}/${file}`), { name: file })
  return parts.map(({ text }) => text).join('\n\n')
}

const same = (text: string): string => text.replaceAll('\\_', '_').replaceAll(/[—–]/g, '-').toLowerCase()
const words = (text: string): string[] =>
  same(text.replaceAll(/<!--.*?-->/g, '').replaceAll(/^[-| ]+$/gm, '')).match(/[\p{L}\d]+/gu) ?? []

/** The share of the expected words that were read. */
const recall = (expected: string, got: string): number => {
  const left = new Map<string, number>()
  for (const word of words(got)) left.set(word, (left.get(word) ?? 0) + 1)
  const wanted = words(expected)
  const found = wanted.filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count > 0
  })
  return found.length / wanted.length
}

const tables = (markdown: string): string[][][] =>
  markdown
    .split(/\n(?!\|)/)
    .map((block) => block.split('\n').filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line)))
    .filter((lines) => lines.length > 0)
    .map((lines) =>
      lines.map((line) =>
        line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => same(cell).trim()),
      ),
    )

const files = ['2305.03393v1-pg9', 'code_and_formula', 'multi_page', 'redp5110_sampled']

describe.skipIf(!hasData)(`real PDFs${skipped}`, () => {
  it.each(files)('loses no text of %s', async (file) => {
    const expected = readFileSync(`${root}/parsers/pdf/${file}.pdf.expected.md`, 'utf8')
    expect(recall(expected, await read(`parsers/pdf/${file}.pdf`))).toBeGreaterThan(0.97)
  })

  it('gives every cell of ruled tables where it stands', async () => {
    const expected = readFileSync(`${root}/table_qa/docs/google-cloud-region-carbon.md`, 'utf8')
    expect(tables(await read('table_qa/docs/google-cloud-region-carbon.pdf'))).toEqual(tables(expected))
  })

  it('reads a header written upwards', async () => {
    const found = tables(await read('parsers/pdf/redp5110_sampled.pdf'))
    const wanted = tables(readFileSync(`${root}/parsers/pdf/redp5110_sampled.pdf.expected.md`, 'utf8'))
    const wide = wanted.filter((rows) => rows[0]?.length === 6)
    expect(wide).toHaveLength(1)
    expect(found).toContainEqual(wide[0])
  })

  it('says of a scan that it needs OCR, and of a cut off file that it is cut off', async () => {
    await expect(read('parsers/robustness/ocr_test.pdf')).rejects.toMatchObject({ reason: 'no-text' })
    await expect(read('parsers/robustness/truncated.pdf')).rejects.toMatchObject({ reason: 'truncated' })
  })
})
