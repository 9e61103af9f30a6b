import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { pptxOf, relationsXml } from '../spec/sample-office'
import { readPptx } from './read-pptx'

const place = (x: number, y: number, width = 10, height = 10): string =>
  `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm>`
const line = (text: string, properties = ''): string =>
  `<a:p><a:pPr ${properties.startsWith('<') ? '' : properties}>${properties.startsWith('<') ? properties : ''}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`
const shape = (lines: string, at = '', mark = ''): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${mark}</p:nvPr></p:nvSpPr><p:spPr>${at}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${lines}</p:txBody></p:sp>`
const title = (text: string): string => shape(line(text), place(0, 0), '<p:ph type="title"/>')
const cell = (text: string, attributes = ''): string => `<a:tc ${attributes}><a:txBody>${line(text)}</a:txBody></a:tc>`
const frame = (inside: string, y = 0): string =>
  `<p:graphicFrame><p:xfrm><a:off x="0" y="${y}"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData>${inside}</a:graphicData></a:graphic></p:graphicFrame>`

const read = async (slides: string[], ...more: [Parameters<typeof pptxOf>[1]?, Parameters<typeof pptxOf>[2]?]) =>
  readPptx(pptxOf(slides, ...more), { name: 'a.pptx' })
const textOf = async (
  slide: string,
  ...more: [Parameters<typeof pptxOf>[1]?, Parameters<typeof pptxOf>[2]?]
): Promise<string> => (await read([slide], ...more)).parts[0]!.text

describe('a presentation', () => {
  it('is a part per slide under its title; a slide without text is noted', async () => {
    const document = await read([title('One') + shape(line('text')), '', title('Three')])
    expect(document.parts).toEqual([
      { page: 1, text: '## One\n\ntext' },
      { page: 3, text: '## Three' },
    ])
    expect(document).toMatchObject({ pages: 3, notes: ['There is no text on slides 2.'] })
  })

  it('reads frames down, and columns each as a whole', async () => {
    const frames = [
      shape(line('below'), place(0, 60, 40)),
      shape(line('left head'), place(0, 10)),
      shape(line('right head'), place(20, 10)),
      shape(line('left'), place(0, 25)),
      shape(line('right'), place(20, 25)),
    ]
    expect(await textOf(frames.join(''))).toBe('left head\n\nleft\n\nright head\n\nright\n\nbelow')
  })

  it('has bullets and numbers with their levels', async () => {
    const bullet = '<a:buChar char="•"/>'
    const lines =
      line('a', bullet) +
      `<a:p><a:pPr lvl="1">${bullet}</a:pPr><a:r><a:t>b</a:t></a:r></a:p>` +
      line('between') +
      line('c', '<a:buAutoNum type="arabicPeriod" startAt="3"/>') +
      line('d', '<a:buAutoNum type="arabicPeriod" startAt="3"/>') +
      line('e', '<a:buAutoNum type="alphaLcParenR"/>')
    expect(await textOf(shape(lines))).toContain('- a\n    - b\n\nbetween\n\n3. c\n4. d')
  })

  it('takes bullets and places from its layout and master', async () => {
    const parts = {
      'ppt/slideLayouts/slideLayout1.xml': `<p:cSld><p:spTree>${shape('', place(0, 50), '<p:ph type="body" idx="1"/>')}</p:spTree></p:cSld>`,
      'ppt/slideMasters/slideMaster1.xml':
        '<p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr></p:bodyStyle></p:txStyles>',
    }
    const bytes = pptxOf([shape(line('item'), '', '<p:ph idx="1"/>') + shape(line('above'), place(0, 10))], parts, [
      { id: 'l', type: 'slideLayout', target: '../slideLayouts/slideLayout1.xml' },
    ])
    const whole = zipSync({
      ...unzipSync(bytes),
      'ppt/slideLayouts/_rels/slideLayout1.xml.rels': strToU8(
        relationsXml([{ id: 'm', type: 'slideMaster', target: '../slideMasters/slideMaster1.xml' }]),
      ),
    })
    expect((await readPptx(whole, { name: 'a.pptx' })).parts[0]?.text).toBe('above\n\n- item')
  })

  it('keeps raised numbers apart, and reads signs of symbol fonts and formulas as what they look like', async () => {
    const run = (text: string, properties = '') =>
      `<a:r><a:rPr ${properties.startsWith('<') ? '' : properties}>${properties.startsWith('<') ? properties : ''}</a:rPr><a:t>${text}</a:t></a:r>`
    const lines = [
      run('10') +
        run('6', 'baseline="30000"') +
        run(' t, 1') +
        run('st', 'baseline="30000"') +
        run(' x') +
        run('2', 'baseline="-25000"'),
      run('sales ') +
        run('\uf0e0', '<a:sym typeface="Wingdings"/>') +
        run(' profit ') +
        run('à', '<a:sym typeface="Wingdings"/>') +
        run(' déjà 5 ') +
        run('m', '<a:latin typeface="Symbol"/>') +
        run('g'),
      '<mc:AlternateContent><mc:Choice><m><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></m></mc:Choice><mc:Fallback><a:r><a:t>12</a:t></a:r></mc:Fallback></mc:AlternateContent>',
    ]
    expect(await textOf(shape(lines.map((runs) => `<a:p>${runs}</a:p>`).join('')))).toBe(
      '10^6 t, 1st x2\n\nsales → profit → déjà 5 μg\n\n$\\frac{1}{2}$',
    )
  })

  it('has tables with merged cells', async () => {
    const rows = `<a:tr>${cell('', 'rowSpan="2"')}${cell('2023', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('Q1')}${cell('Q2')}</a:tr><a:tr>${cell('Ducks')}${cell('4')}${cell('')}</a:tr>`
    expect(await textOf(frame(`<a:tbl>${rows}</a:tbl>`))).toBe(
      '|  | 2023 Q1 | 2023 Q2 |\n| --- | --- | --- |\n| Ducks | 4 |  |',
    )
  })

  it('reads groups, charts and the notes of the speaker', async () => {
    const point = (at: number, value: string) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`
    const series = (name: string, ...values: string[]) =>
      `<c:ser><c:tx><c:strRef><c:strCache>${point(0, name)}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>${point(0, 'Q1')}${point(1, 'Q2')}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>${values.map((value, at) => point(at, value)).join('')}</c:numCache></c:numRef></c:val></c:ser>`
    const parts = {
      'ppt/charts/chart1.xml': `<c:chart><c:title><c:tx><c:rich>${line('Sales')}</c:rich></c:tx></c:title><c:plotArea><c:barChart>${series('North', '1', '2')}${series('South', '3', '4.5')}</c:barChart></c:plotArea></c:chart>`,
      'ppt/notesSlides/notesSlide1.xml': `<p:cSld><p:spTree>${shape(line('Say hello.'), '', '<p:ph type="body"/>')}</p:spTree></p:cSld>`,
    }
    const group = `<p:grpSp><p:grpSpPr>${place(0, 80)}</p:grpSpPr>${shape(line('grouped'), place(0, 0))}</p:grpSp>`
    const text = await textOf(group + frame('<c:chart r:id="ch"/>', 20), parts, [
      { id: 'ch', type: 'chart', target: '../charts/chart1.xml' },
      { id: 'n', type: 'notesSlide', target: '../notesSlides/notesSlide1.xml' },
    ])
    expect(text).toBe(
      'Bar chart: Sales\n\n|  | North | South |\n| --- | --- | --- |\n| Q1 | 1 | 3 |\n| Q2 | 2 | 4.5 |\n\ngrouped\n\nNotes: Say hello.',
    )
  })

  it('is refused where no slide has text', async () => {
    await expect(read(['', ''])).rejects.toMatchObject({ reason: 'no-text' })
  })
})
