import { unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { relationsXml, sheetRows, xlsxOf } from '../spec/sample-office'
import { readXlsx } from './read-xlsx'

const styles =
  '<numFmts><numFmt numFmtId="164" formatCode="0.0&quot; kWh&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs>'
const read = async (...input: Parameters<typeof xlsxOf>) => readXlsx(xlsxOf(...input), { name: 'a.xlsx' })
const textOf = async (rows: string, merges: string[] = []): Promise<string> =>
  (await read([{ name: 'One', rows, merges }], { styles })).parts[0]!.text.replace('## One\n\n', '')

describe('a workbook', () => {
  it('shows numbers as their cells do', async () => {
    const text = await textOf(
      sheetRows(
        [
          ['Site', 'Share', 'Use', 'Day'],
          ['A', 0.95, 12, 45292],
          ['B', 0.5, 7.25, 45293],
        ],
        [0, 1, 2, 3],
      ),
    )
    expect(text.split('\n').slice(2)).toEqual([
      '| A | 95% | 12.0 kWh | 2024-01-01 |',
      '| B | 50% | 7.3 kWh | 2024-01-02 |',
    ])
  })

  it('reads each kind of cell, and what a formula gave', async () => {
    const cells =
      '<row r="1"><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row><row r="2"><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row><row r="3"><c t="str"><f>A1</f><v>given</v></c><c><f>1+1</f><v>2</v></c></row><row r="4"><c t="d"><v>2024-03-05T00:00:00</v></c><c><f>A9</f></c></row>'
    const document = await read([{ name: 'One', rows: cells }], {
      styles,
      strings: '<si><r><t>Na</t></r><r><t>me</t></r><rPh><t>x</t></rPh></si><si><t>a_x000A_b</t></si>',
    })
    expect(document.parts[0]?.text.split('\n').slice(2)).toEqual([
      '| Name | a b |',
      '| --- | --- |',
      '| TRUE | #N/A |',
      '| given | 2 |',
      '| 2024-03-05 |  |',
    ])
    expect(document.notes).toEqual([expect.stringContaining('1 formulas without a saved value')])
  })

  it('joins merged headers, and repeats merged cells', async () => {
    const text = await textOf(
      sheetRows([
        ['Region', 'CFE', null],
        [null, '2023', '2024'],
        ['Europe', 1, 2],
        [null, 3, 4],
      ]),
      ['A1:A2', 'B1:C1', 'A3:A4'],
    )
    expect(text.split('\n')).toEqual([
      '| Region | CFE 2023 | CFE 2024 |',
      '| --- | --- | --- |',
      '| Europe | 1 | 2 |',
      '| Europe | 3 | 4 |',
    ])
  })

  it('does not show what a merged cell was drawn over', async () => {
    expect(
      await textOf(
        sheetRows([
          ['a', 'b', 'c'],
          ['one', 'old', 3],
          ['two', 4, 5],
        ]),
        ['A2:B2'],
      ),
    ).toBe('| a | b | c |\n| --- | --- | --- |\n| one | one | 3 |\n| two | 4 | 5 |')
  })

  it('tells tables apart by empty rows and columns, and names one by the row above it', async () => {
    const text = await textOf(
      sheetRows([
        ['Ducks per year', null, null, null, null],
        ['Year', 'Ducks', null, 'Site', 'Geese'],
        ['2020', 4, null, 'A', 1],
        ['2021', 5, null, 'B', 2],
        [],
        ['Notes', 'Text'],
        ['x', 'y'],
      ]),
    )
    expect(text.split('\n\n').map((block) => block.split('\n')[0])).toEqual([
      'Ducks per year',
      '| Year | Ducks |',
      '| Site | Geese |',
      '| Notes | Text |',
    ])
  })

  it('keeps a total under an empty row, and a column set apart, with its table', async () => {
    const text = await textOf(
      sheetRows([['Site', null, '2023'], ['A', null, 1], ['B', null, 2], [], ['Total', null, 3]]),
    )
    expect(text.split('\n')).toEqual(['| Site | 2023 |', '| --- | --- |', '| A | 1 |', '| B | 2 |', '| Total | 3 |'])
  })

  it('is not torn by an empty row over a section, nor by an empty column before more figures', async () => {
    expect(
      await textOf(
        sheetRows([
          ['Site', 'Q1', 'Q2', null, 'Q3', 'Q4'],
          ['A', 1, 2, null, 3, 4],
          ['B', 5, 6, null, 7, 8],
          [],
          ['Europe'],
          ['C', 9, 1, null, 2, 3],
        ]),
      ),
    ).toBe(
      '| Site | Q1 | Q2 | Q3 | Q4 |\n| --- | --- | --- | --- | --- |\n| A | 1 | 2 | 3 | 4 |\n| B | 5 | 6 | 7 | 8 |\n| Europe |  |  |  |  |\n| C | 9 | 1 | 2 | 3 |',
    )
  })

  it('without a header makes no row one, unless its figures may be names', async () => {
    const rows = (...first: (string | number)[]) => sheetRows([first, ['b', 2, 7], ['c', 3, 1]])
    expect((await textOf(rows('a', 9, 8))).split('\n')[0]).toBe('|  |  |  |')
    expect((await textOf(rows('size', 10, 20))).split('\n')[0]).toBe('| size | 10 | 20 |')
  })

  it('keeps comments on its cells, once', async () => {
    const legacy =
      '<authors><author>Ann</author></authors><commentList><comment ref="A1" authorId="0"><text><t>[Threaded comment] …</t></text></comment><comment ref="B2" authorId="0"><text><r><t>why</t></r></text></comment></commentList>'
    const document = await read([{ name: 'One', rows: sheetRows([['x', 'y']]) }], {
      parts: {
        'xl/worksheets/_rels/sheet1.xml.rels': relationsXml([
          { id: 'c', type: 'comments', target: '../comments1.xml' },
          { id: 't', type: 'threadedComment', target: '../threaded1.xml' },
        ]),
        'xl/comments1.xml': `<comments>${legacy}</comments>`,
        'xl/threaded1.xml':
          '<ThreadedComments><threadedComment ref="A1"><text>how</text></threadedComment></ThreadedComments>',
      },
    })
    expect(document.parts[0]?.text).toContain('Comment on A1: how\n\nComment on B2 by Ann: why')
    expect(document.parts[0]?.text).not.toContain('Threaded')
  })

  it('keeps rows with an empty one after each with their header, however many they are', async () => {
    const spaced = (rows: string[][]) => textOf(sheetRows(rows.flatMap((row) => [row, []])))
    expect(
      await spaced([
        ['Name', 'Kind'],
        ['Ash', 'Tree'],
        ['Elk', 'Deer'],
      ]),
    ).toBe('| Name | Kind |\n| --- | --- |\n| Ash | Tree |\n| Elk | Deer |')
    expect(
      (await spaced([['Year', 'Ducks'], ...Array.from({ length: 30_000 }, () => ['2020', '4.5'])])).split('\n'),
    ).toHaveLength(30_002)
  })

  it('may have a column of any length', async () => {
    const comments = Array.from({ length: 20_000 }, (_, at) => [
      `comment ${at}${at === 0 ? ' that is long'.repeat(9) : ''}`,
    ])
    expect((await textOf(sheetRows(comments))).split('\n\n')).toHaveLength(20_000)
  })

  it('leaves out hidden sheets and says so; pages are sheets', async () => {
    const rows = sheetRows([
      ['a', 'b'],
      [1, 2],
    ])
    const document = await read([
      { name: 'One', rows },
      { name: 'Two', rows, state: 'hidden' },
      { name: 'Three', rows },
    ])
    expect(document.parts.map(({ page }) => page)).toEqual([1, 3])
    expect(document).toMatchObject({ pages: 3, notes: ['Sheet "Two" is hidden and was not read.'] })
  })

  it('reads the charts of a sheet as tables', async () => {
    const point = (at: number, value: string) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`
    const series = `<c:ser><c:tx><c:strRef><c:strCache>${point(0, 'Share')}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>${point(0, '2022')}${point(1, '2023')}${point(2, '2024')}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:formatCode>0%</c:formatCode>${point(0, '0.1')}${point(2, '0.3')}</c:numCache></c:numRef></c:val></c:ser>`
    const parts = {
      'xl/worksheets/_rels/sheet1.xml.rels': relationsXml([
        { id: 'd', type: 'drawing', target: '../drawings/drawing1.xml' },
      ]),
      'xl/drawings/drawing1.xml': '<d/>',
      'xl/drawings/_rels/drawing1.xml.rels': relationsXml([{ id: 'c', type: 'chart', target: '../charts/chart1.xml' }]),
      'xl/charts/chart1.xml': `<c:chartSpace xmlns:c="c"><c:chart><c:plotArea><c:lineChart>${series}</c:lineChart></c:plotArea></c:chart></c:chartSpace>`,
    }
    const document = await read(
      [
        {
          name: 'One',
          rows: sheetRows([
            ['a', 'b'],
            [1, 2],
          ]),
        },
      ],
      { parts },
    )
    expect(document.parts[0]?.text).toContain(
      'Line chart: Share\n\n|  | Share |\n| --- | --- |\n| 2022 | 10% |\n| 2023 |  |\n| 2024 | 30% |',
    )
  })

  it('costs no more for a far cell than for a near one, and is refused for text without bound', async () => {
    expect(
      await textOf('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'),
    ).toBe('1\n\n2')
    expect(
      await textOf(
        sheetRows([
          ['Title', null],
          ['a', 'b'],
          [1, 2],
        ]),
        ['A1:XFD1', 'B3:B1048576'],
      ),
    ).toBe('Title\n\n| a | b |\n| --- | --- |\n| 1 | 2 |')
    const many = `<row>${'<c t="s"><v>0</v></c>'.repeat(2_000)}</row>`
    const bomb = read([{ name: 'One', rows: many }], { strings: `<si><t>${'long '.repeat(8_000)}</t></si>` })
    await expect(bomb).rejects.toMatchObject({ reason: 'too-large' })
  })

  it('keeps a raised number apart from the figure before it', async () => {
    const run = (text: string, properties = '') => `<r><rPr>${properties}</rPr><t>${text}</t></r>`
    const strings = `<si>${run('12')}${run('1', '<vertAlign val="superscript"/>')}${run(' of 5')}</si><si>${run('km')}${run('2', '<vertAlign val="superscript"/>')}</si>`
    const document = await read([{ name: 'One', rows: '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>' }], {
      strings,
    })
    expect(document.parts[0]?.text).toContain('| 12^1 of 5 | km^2 |')
    const inCell = `<c t="inlineStr"><is>${run('10')}${run('24', '<vertAlign val="superscript"/>')}<rPh><t>x</t></rPh></is></c>`
    expect(await textOf(`<row>${inCell}<c><v>7</v></c></row>`)).toContain('| 10^24 | 7 |')
  })

  it('leaves out what stands for a filter in old programs, and says of a sheet that is missing', async () => {
    const text = (words: string) => `<sp><txBody><p><r><t>${words}</t></r></p></txBody></sp>`
    const parts = {
      'xl/worksheets/_rels/sheet1.xml.rels': relationsXml([
        { id: 'd', type: 'drawing', target: '../drawings/drawing1.xml' },
      ]),
      'xl/drawings/drawing1.xml': `<d xmlns:mc="mc">${text('As of May')}<mc:AlternateContent><mc:Choice><frame/></mc:Choice><mc:Fallback>${text('This shape represents a slicer.')}</mc:Fallback></mc:AlternateContent></d>`,
    }
    const rows = sheetRows([
      ['a', 'b'],
      [1, 2],
    ])
    const bytes = unzipSync(
      xlsxOf(
        [
          { name: 'One', rows },
          { name: 'Two', rows },
        ],
        { parts },
      ),
    )
    delete bytes['xl/worksheets/sheet2.xml']
    const document = await readXlsx(zipSync(bytes), { name: 'a.xlsx' })
    expect(document.parts[0]?.text).toBe('## One\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nAs of May')
    expect(document.notes).toEqual([expect.stringContaining('Sheet "Two" is missing')])
  })

  it('is refused where the texts of its cells or the formats of its numbers are missing', async () => {
    for (const missing of ['sharedStrings', 'styles']) {
      const bytes = unzipSync(
        xlsxOf([{ name: 'One', rows: '<row><c t="s"><v>0</v></c><c><v>0.5</v></c></row>' }], {
          styles,
          strings: '<si><t>Share</t></si>',
        }),
      )
      delete bytes[`xl/${missing}.xml`]
      await expect(readXlsx(zipSync(bytes), { name: 'a.xlsx' }), missing).rejects.toMatchObject({
        reason: 'unreadable',
      })
    }
  })

  it('is refused with nothing in it', async () => {
    await expect(read([{ name: 'One', rows: '' }])).rejects.toMatchObject({ reason: 'no-text' })
  })
})
