import { Unfit } from '@plumbline/ports/document-parser'
import { describe, expect, it } from 'vitest'
import { drawing, prose, rowsAt, writePdf, type Put, type Sheet } from '../spec/written-pdf'
import { readPdf } from './read-pdf'

const text = async (...sheets: Sheet[]): Promise<string> =>
  (await readPdf(writePdf(sheets), { name: 'a.pdf' })).parts.map((part) => part.text).join('\n---\n')
const sentence = 'The committee met in spring to review the accounts and the plans for the year.'
const numbers = (rows: string[][], xs: number[], y: number): Put[] =>
  rowsAt(rows, xs, y).map((put) => ({ ...put, align: put.x === xs[0] ? 'left' : 'right' }))
const box = (xs: number[], ys: number[]): Sheet['draw'] => [
  ...ys.map((y) => ({ x1: xs[0] ?? 0, x2: xs.at(-1) ?? 0, y1: y, y2: y })),
  ...xs.map((x) => ({ x1: x, x2: x, y1: ys[0] ?? 0, y2: ys.at(-1) ?? 0 })),
]

describe('reading a PDF', () => {
  it('gives headings by their size, paragraphs, lists and code', async () => {
    const read = await text({
      put: [
        { text: 'Annual report', x: 72, y: 60, size: 20, font: 'bold' },
        { text: '1 Overview', x: 72, y: 90, size: 14, font: 'bold' },
        ...prose([sentence, 'All went well.'], 72, 110),
        ...prose(['1. Read the minutes', '2. Vote on them'], 90, 150),
        ...['if done:', '    stop()'].map((code, index): Put => ({
          text: code,
          x: 72,
          y: 200 + index * 11,
          font: 'mono',
        })),
      ],
    })
    expect(read).toBe(
      `# Annual report\n\n## 1 Overview\n\n${sentence} All went well.\n\n1. Read the minutes\n2. Vote on them\n\n\`\`\`\nif done:\n    stop()\n\`\`\``,
    )
  })

  it('reads right-aligned numbers, units and empty cells under a caption', async () => {
    const rows = [
      ['Region', '2022', '2023', 'Change'],
      ['North America', '1,204.5', '1,310.0', '8.8%'],
      ['Europe', '980.1', '', '2.3%'],
      ['Total', '2,184.6', '1,310.0', 'n/a'],
    ]
    const read = await text({
      put: [{ text: 'Table 1. Revenue (EUR million)', x: 72, y: 80 }, ...numbers(rows, [72, 300, 380, 460], 96)],
    })
    expect(read).toContain(
      'Table 1. Revenue (EUR million)\n\n| Region | 2022 | 2023 | Change |\n| --- | --- | --- | --- |\n| North America | 1,204.5 | 1,310.0 | 8.8% |\n| Europe | 980.1 |  | 2.3% |',
    )
  })

  it.each([
    ['small and high', 0.65, 3.6],
    ['a little smaller, as browsers set them', 0.83, 3.3],
    ['at half the height', 0.8, 5],
  ])('keeps raised numbers apart from those before them, %s', async (_, scale, rise) => {
    const raised = (text: string, mark: string, x: number, y: number): Put[] => {
      const width = [...text].reduce((sum, sign) => sum + (/\d/.test(sign) ? 5.56 : 2.78), 0)
      return [
        { text, x, y },
        { text: mark, x: x + width, y: y - rise, size: 10 * scale },
      ]
    }
    const put = [
      ...rowsAt(
        [
          ['Site', 'Load', 'Share'],
          ['Oslo', '', '45%'],
          ['Rome', '980.1', '55%'],
          ['Wien', '', ''],
        ],
        [72, 200, 300],
        96,
      ),
      ...raised('1,204.5', '2', 200, 110),
      ...raised('10', '24', 200, 138),
    ]
    expect(await text({ put })).toBe(
      '| Site | Load | Share |\n| --- | --- | --- |\n| Oslo | 1,204.5^2 | 45% |\n| Rome | 980.1 | 55% |\n| Wien | 10^24 |  |',
    )
  })

  it('repeats merged cells of a ruled table and joins the lines of a cell', async () => {
    const put = [
      ...rowsAt(
        [
          ['Region', 'Quarter', 'Note'],
          ['North', 'Q1', 'first of'],
          ['', '', 'two lines'],
        ],
        [75, 175, 275],
        112,
        22,
      ),
      { text: 'Q2', x: 175, y: 176 },
    ]
    const draw = [
      ...[100, 120, 180].map((y) => ({ x1: 70, x2: 400, y1: y, y2: y })),
      { x1: 170, x2: 400, y1: 162, y2: 162 },
      ...[70, 170, 270, 400].map((x) => ({ x1: x, x2: x, y1: 100, y2: 180 })),
    ]
    expect(await text({ put, draw })).toContain('| North | Q1 | first of two lines |\n| North | Q2 |  |')
  })

  it('reads a header written upwards', async () => {
    const put = [
      { text: 'Site', x: 75, y: 155 },
      { text: 'Fast', x: 190, y: 155, upwards: true },
      { text: 'Slow', x: 290, y: 155, upwards: true },
      ...rowsAt(
        [
          ['Oslo', '12', '45'],
          ['Rome', '9', '55'],
        ],
        [75, 175, 275],
        175,
        22,
      ),
    ]
    const draw = box([70, 170, 270, 400], [100, 160, 182, 204])
    expect(await text({ put, draw })).toBe(
      '| Site | Fast | Slow |\n| --- | --- | --- |\n| Oslo | 12 | 45 |\n| Rome | 9 | 55 |',
    )
  })

  it('keeps the lines of rows stacked in one drawn row apart', async () => {
    const put = [
      ...rowsAt([['n', 'Kind', 'A', 'B']], [75, 130, 200, 280], 112),
      ...rowsAt(
        [
          ['', 'one', '0.1', '0.2'],
          ['', 'two', '0.3', '0.4'],
        ],
        [75, 130, 200, 280],
        132,
      ),
      { text: '6', x: 75, y: 139 },
    ]
    expect(await text({ put, draw: box([70, 120, 190, 270, 340], [100, 118, 152]) })).toContain(
      '| 6 | one<br>two | 0.1<br>0.3 | 0.2<br>0.4 |',
    )
  })

  it('reads two tables side by side each under its caption', async () => {
    const put = [
      { text: 'Table 1. Left', x: 72, y: 80 },
      { text: 'Table 2. Right', x: 340, y: 80 },
      ...numbers(
        [
          ['City', 'People'],
          ['Oslo', '700'],
          ['Bonn', '330'],
        ],
        [72, 200],
        95,
      ),
      ...numbers(
        [
          ['River', 'Length'],
          ['Rhine', '1230'],
          ['Elbe', '1094'],
        ],
        [340, 500],
        95,
      ),
    ]
    const read = await text({ put })
    expect(read.indexOf('| Bonn | 330 |')).toBeLessThan(read.indexOf('Table 2. Right'))
    expect(read).toContain('| River | Length |')
  })

  it('joins a table over pages and drops running heads and page numbers', async () => {
    const sheet = (page: number): Sheet => ({
      put: [
        { text: 'Inventory', x: 72, y: 30, size: 8 },
        { text: `Page ${String(page)}`, x: 500, y: 770, size: 8 },
        ...numbers(
          [
            ['Part', 'Stock', 'Price'],
            ...Array.from({ length: 45 }, (_, row) => [`Bolt ${String(page)}-${String(row)}`, String(row), '1.50']),
          ],
          [72, 300, 400],
          70,
        ),
      ],
    })
    const [first = '', second, third] = (await text(sheet(1), sheet(2), sheet(3))).split('\n---\n')
    expect(first.split('\n')).toHaveLength(2 + 3 * 45)
    expect(first).not.toContain('Inventory')
    expect([second, third]).toEqual(['', ''])
  })

  it('tells contents with dot leaders, forms and lists from tables of data', async () => {
    const contents = ['1 Introduction', '2 Methods', '3 Results', '4 Discussion', '5 Outlook'].map(
      (title, index): Put => ({
        text: `${title} ${'. '.repeat(40)}${String(index * 4 + 1)}`,
        x: 72,
        y: 80 + index * 14,
      }),
    )
    expect(await text({ put: contents })).toContain('| 4 Discussion | 13 |')
    expect(
      await text({
        put: rowsAt(
          [
            ['Name:', 'Jane'],
            ['Born:', '1980'],
            ['City:', 'Oslo'],
          ],
          [72, 200],
          80,
        ),
      }),
    ).toBe('Name: Jane\n\nBorn: 1980\n\nCity: Oslo')
  })
})

describe('text that looks like Markdown', () => {
  it('is not: signs of fences, tags, rules and emphasis stay signs', async () => {
    const sheets = ['~~~~~', '<table> is a tag', '-----'].map((line): Sheet => ({
      put: [
        { text: 'The __init__ method', x: 72, y: 200, size: 20 },
        ...prose([sentence], 72, 240),
        { text: line, x: 72, y: 300 },
      ],
    }))
    const above = `# The \\_\\_init\\_\\_ method\n\n${sentence}\n\n`
    expect(await text(...sheets)).toBe(
      [`${above}\\~~~~~`, `${above}\\<table> is a tag`, `${above}\\-----`].join('\n---\n'),
    )
  })

  it('keeps code in a fence of its own, whatever it holds', async () => {
    const put = ['```js', 'stop()', '```'].map((line, index): Put => ({
      text: line,
      x: 72,
      y: 200 + index * 11,
      font: 'mono',
    }))
    expect(await text({ put: [...prose([sentence, sentence], 72, 100), ...put] })).toContain(
      '````\n```js\nstop()\n```\n````',
    )
  })
})

describe('PDFs of many pages', () => {
  const sheets = Array.from({ length: 45 }, (_, index): Sheet => ({
    put: prose([sentence, `This is sheet ${String(index + 1)}.`], 72, 200),
  }))

  it('are read some pages at a time, each under its number, and tell how far it is', async () => {
    const seen: number[][] = []
    const { parts, pages } = await readPdf(writePdf(sheets), {
      name: 'a.pdf',
      onPage: (done, of) => seen.push([done, of]),
    })
    expect(pages).toBe(45)
    expect(parts.map(({ page, text: read }) => [page, /sheet \d+/.exec(read)?.[0]])).toEqual(
      sheets.map((_, index) => [index + 1, `sheet ${String(index + 1)}`]),
    )
    expect(seen).toEqual([
      [20, 45],
      [40, 45],
      [45, 45],
    ])
  })

  it('stop as soon as the progress callback throws', async () => {
    const refusal = new Unfit('too-large', 'Too many pages.')
    const seen: number[] = []
    const refuse = (done: number): void => {
      seen.push(done)
      throw refusal
    }
    await expect(readPdf(writePdf(sheets), { name: 'a.pdf', onPage: refuse })).rejects.toBe(refusal)
    expect(seen).toEqual([20])
  })

  it('have the title that they give themselves', async () => {
    expect((await readPdf(writePdf(sheets, 'Milk &amp;\nhoney'), { name: 'a.pdf' })).title).toBe('Milk & honey')
  })
})

describe('PDFs that cannot be read', () => {
  it('says which pages show something and have no text, and not which are blank', async () => {
    const ruled = { put: [], draw: [{ x1: 72, y1: 60, x2: 540, y2: 60 }] }
    const first = { put: [{ text: sentence, x: 72, y: 100 }] }
    const read = await readPdf(writePdf([first, drawing, { put: [] }, ruled]), { name: 'a.pdf' })
    expect(read.warnings).toMatchObject([{ kind: 'no-text', pages: [2] }])
    expect(read.pages).toBe(4)
  })

  it('refuses a document without any text as a scan', async () => {
    await expect(readPdf(writePdf([drawing, drawing]), { name: 'scan.pdf' })).rejects.toMatchObject({
      reason: 'no-text',
      words: expect.stringMatching(/pages 1–2.*DOCLING_URL/) as unknown,
    })
  })

  it('tells a cut off file from one that is no PDF', async () => {
    const whole = writePdf([{ put: [{ text: sentence, x: 72, y: 100 }] }])
    await expect(readPdf(whole.subarray(0, 300), { name: 'cut.pdf' })).rejects.toMatchObject({ reason: 'truncated' })
    await expect(readPdf(new TextEncoder().encode('Not a PDF at all'), { name: 'x.pdf' })).rejects.toMatchObject({
      reason: 'unreadable',
    })
  })

  it('refuses a file behind a password', async () => {
    const key = `<${'ab'.repeat(32)}>`
    const locked = `/Root 1 0 R /ID [<00><00>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O ${key} /U ${key} >>`
    const bytes = Buffer.from(writePdf([{ put: [{ text: sentence, x: 72, y: 100 }] }]))
      .toString('latin1')
      .replace('/Root 1 0 R', locked)
    await expect(readPdf(Buffer.from(bytes, 'latin1'), { name: 'locked.pdf' })).rejects.toMatchObject({
      reason: 'encrypted',
      words: expect.stringContaining('password') as unknown,
    })
  })

  const altered = (from: string, to: string, sheets: Sheet[]): Buffer =>
    Buffer.from(Buffer.from(writePdf(sheets)).toString('latin1').replaceAll(from, to), 'latin1')
  const one = { put: [{ text: sentence, x: 72, y: 100 }] }

  it('says which pages are damaged, and refuses a document of no others', async () => {
    const read = await readPdf(altered('/Count 1', '/Count 4', [one]), { name: 'a.pdf' })
    expect(read.parts).toEqual([{ page: 1, text: sentence }])
    expect(read.warnings).toMatchObject([{ kind: 'unreadable', pages: [2, 3, 4] }])
    await expect(readPdf(altered('/Type /Page ', '/Type /Pagx ', [one, one]), { name: 'a.pdf' })).rejects.toMatchObject(
      { reason: 'unreadable', page: 1, words: expect.stringContaining('pages 1–2 cannot be opened') as unknown },
    )
    await expect(readPdf(writePdf([]), { name: 'a.pdf' })).rejects.toMatchObject({
      reason: 'unreadable',
      words: expect.stringContaining('without pages') as unknown,
    })
  })

  it('loses no text of pages that say the same, and takes a stamp on scans for no text', async () => {
    const ticket = { put: [{ text: 'Admit one', x: 72, y: 40 }] }
    expect(await text(ticket, ticket)).toBe('Admit one\n---\nAdmit one')
    const picture = 'q 612 0 0 792 0 0 cm BI /W 2 /H 2 /CS /G /BPC 8 ID abcd EI Q\n'
    const scan = altered('stream\nBT', `stream\n${picture}BT`, [ticket, ticket])
    await expect(readPdf(scan, { name: 'scan.pdf' })).rejects.toMatchObject({
      reason: 'no-text',
      words: expect.stringContaining('pages 1–2') as unknown,
    })
  })
})
