import { Unfit } from '@plumbline/ports/document-parser'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { docxOf, relationsXml, zipped } from '../spec/sample-office'
import { readDocx } from './read-docx'

const p = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const styled = (style: string, text: string): string => p(text, `<w:pStyle w:val="${style}"/>`)
const item = (text: string, list: number, level = 0): string =>
  p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)
const cell = (text: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`
const row = (cells: string, properties = ''): string => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`
const table = (...rows: string[]): string => `<w:tbl>${rows.join('')}</w:tbl>`

const styles = `
  <w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
  <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="H2"/></w:style>
  <w:style w:type="paragraph" w:styleId="H2"><w:name w:val="Heading 2"/></w:style>
  <w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>`

const level = (at: number, format: string, text: string): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
const numbering = `
  <w:abstractNum w:abstractNumId="0">${level(0, 'bullet', '•')}${level(1, 'bullet', 'o')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%2)')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="2">${level(0, 'decimal', '%1')}${level(1, 'decimal', '%1.%2')}</w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
  <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
  <w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>
  <w:num w:numId="4"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`

const read = async (body: string, beside: Record<string, string> = {}, pointers: Parameters<typeof docxOf>[2] = []) =>
  readDocx(docxOf(body, { styles, numbering, ...beside }, pointers), { name: 'a.docx' })
const textOf = async (...input: Parameters<typeof read>): Promise<string> => (await read(...input)).parts[0]!.text

describe('a Word document', () => {
  it('has headings by what their style is based on, numbered as Word draws them, under its title', async () => {
    const document = await read(
      styled('Titel', 'Annual report') +
        styled('berschrift1', 'Scope') +
        styled('Mine', 'Sites') +
        styled('berschrift1', 'Energy') +
        p('Outline', '<w:outlineLvl w:val="2"/>'),
    )
    expect(document.title).toBe('Annual report')
    expect(document.parts[0]?.text).toBe('# Annual report\n\n## 1 Scope\n\n### Sites\n\n## 2 Energy\n\n#### Outline')
  })

  it('has lists with their levels and labels; another list begins again', async () => {
    const text = await textOf(
      item('a', 1) +
        item('b', 1, 1) +
        p('between') +
        item('c', 2) +
        item('d', 2, 1) +
        item('e', 2) +
        p('then') +
        item('f', 4),
    )
    expect(text).toBe('- a\n    - b\n\nbetween\n\n1. c\n    - a) d\n2. e\n\nthen\n\n1. f')
  })

  it('counts items without text like Word, and continues after headings if the list says so', async () => {
    expect(
      await textOf(
        item('a', 2) +
          item('', 2) +
          item('b', 2) +
          p('', '<w:rPr><w:vanish/></w:rPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr>') +
          item('c', 2),
      ),
    ).toBe('1. a\n3. b\n4. c')
    const endless = `<w:abstractNum w:abstractNumId="0">${level(0, 'upperRoman', 'Article %1')}${level(1, 'decimal', '§ %2').replace('<w:numFmt', '<w:lvlRestart w:val="0"/><w:numFmt')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
    const sections = [item('a', 1), item('b', 1, 1), item('c', 1, 1), item('d', 1), item('e', 1, 1)]
    expect(await textOf(sections.join(''), { numbering: endless })).toBe(
      '- Article I a\n    - § 1 b\n    - § 2 c\n- Article II d\n    - § 3 e',
    )
  })

  it("shows no number for a level without number format, like LibreOffice's headings", async () => {
    const none = `<w:abstractNum w:abstractNumId="0">${level(0, 'none', '%1')}${level(1, 'decimal', '%1%2.')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
    expect(await textOf(item('a', 1) + item('b', 1, 1), { numbering: none })).toBe('a\n\n1. b')
  })

  it('keeps raised numbers apart from those before them, and reads symbol fonts as they look', async () => {
    const run = (text: string, properties = '') =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
    const raised = '<w:vertAlign w:val="superscript"/>'
    const powers =
      run('5 × 10') +
      run('1', raised) +
      run('2', raised) +
      run(' m') +
      run('2', raised) +
      run(', the 1') +
      run('st', raised)
    const signs =
      run('5 ') +
      '<w:r><w:sym w:font="Symbol" w:char="F06D"/></w:r>' +
      run('g, ') +
      run('\uf044', '<w:rFonts w:ascii="Symbol"/>') +
      run('T ') +
      '<w:r><w:sym w:font="Symbol" w:char="F0B3"/></w:r>' +
      run(' 2 ') +
      '<w:r><w:sym w:font="Wingdings" w:char="F0E0"/></w:r>'
    expect(await textOf(`<w:p>${powers}</w:p><w:p>${signs}</w:p>`)).toBe('5 × 10^12 m^2, the 1st\n\n5 μg, ΔT ≥ 2 →')
  })

  it('reads what was inserted and not what was deleted, hidden or is an instruction of a field', async () => {
    const field =
      '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText><w:t>never</w:t></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>7</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
    const body = `<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:tab/><w:t>page </w:t></w:r>${field}<w:r><w:br/><w:t># no heading</w:t></w:r></w:p>`
    expect(await textOf(body)).toBe('new page 7\n\\# no heading')
  })

  it('has tables with merged cells, marked header rows and a title', async () => {
    const header = '<w:tblHeader/>'
    const text = await textOf(
      table(
        row(cell('Table 1. Sites', '<w:gridSpan w:val="3"/>')),
        row(cell('Site', '<w:vMerge w:val="restart"/>') + cell('PUE', '<w:gridSpan w:val="2"/>'), header),
        row(cell('', '<w:vMerge/>') + cell('2022') + cell('2023'), header),
        row(cell('Iowa | US') + cell('1.11') + cell('1.10')),
        row(cell('Oregon') + cell('1.10'), '<w:gridAfter w:val="1"/>'),
      ),
    )
    expect(text).toBe(
      'Table 1. Sites\n\n| Site | PUE 2022 | PUE 2023 |\n| --- | --- | --- |\n| Iowa \\| US | 1.11 | 1.10 |\n| Oregon | 1.10 |  |',
    )
  })

  it('keeps its comments and their authors', async () => {
    const body = '<w:p><w:r><w:t>text</w:t></w:r><w:r><w:commentReference w:id="4"/></w:r></w:p>'
    const comments = `<w:comment w:id="4" w:author="Ann">${p('Is that so?')}</w:comment>`
    expect(await textOf(body, { comments })).toBe('text[^1]\n\n[^1]: Comment by Ann: Is that so?')
  })

  it('reads a table that only places other tables as these tables', async () => {
    const inner = (name: string) => table(row(cell(name) + cell('b')), row(cell('1') + cell('2')))
    const placed = (name: string) => `<w:tc>${inner(name)}<w:p/></w:tc>`
    expect(await textOf(table(row(placed('a') + cell('')), row(placed('x') + cell(''))))).toBe(
      '| a | b |\n| --- | --- |\n| 1 | 2 |\n\n| x | b |\n| --- | --- |\n| 1 | 2 |',
    )
  })

  it('has the words of a table in a cell there and its table behind the outer one, and reads a frame as the text in it', async () => {
    const inner = table(row(cell('a') + cell('b')), row(cell('1') + cell('2')))
    const outer = table(row(cell('x') + `<w:tc>${p('y')}${inner}</w:tc>`), row(cell('z') + cell('w')))
    expect(await textOf(outer)).toBe(
      '| x | y a b 1 2 |\n| --- | --- |\n| z | w |\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
    )
    expect(await textOf(table(row(`<w:tc>${p('boxed')}${item('one', 1)}</w:tc>`)))).toBe('boxed\n\n- one')
  })

  it('reads sections beside each other one after another, and headings of columns as their names', async () => {
    const long = 'many words '.repeat(20).trim()
    const section = (name: string) => `<w:tc>${styled('H2', name)}${p(long)}</w:tc>`
    expect(await textOf(table(row(section('Skills') + section('Work'))))).toBe(
      `## Skills\n\n${long}\n\n## Work\n\n${long}`,
    )
    const named = (name: string) => `<w:tc>${styled('H2', name)}</w:tc>`
    expect(await textOf(table(row(named('Site') + named('PUE')), row(cell('Oslo') + cell('1.09'))))).toBe(
      '| Site | PUE |\n| --- | --- |\n| Oslo | 1.09 |',
    )
  })

  it('keeps the signs of a heading', async () =>
    expect(await textOf(styled('H2', 'The __init__ of `x`'))).toBe('## The \\_\\_init\\_\\_ of \\`x\\`'))

  it('has boxes that are ticked and such that are not', async () => {
    const box = (checked: number, text: string) =>
      `<w:p><w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${checked}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>☒</w:t></w:r></w:sdtContent></w:sdt><w:r><w:t> ${text}</w:t></w:r></w:p>`
    const symbol = '<w:p><w:r><w:sym w:font="Wingdings" w:char="F0FE"/><w:t> c</w:t></w:r></w:p>'
    expect(await textOf(box(1, 'a') + box(0, 'b') + symbol)).toBe('- [x] a\n- [ ] b\n- [x] c')
  })

  it('leaves out what only asks to fill a field in', async () => {
    const field = (inside: string, properties = '') =>
      `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${inside}</w:sdtContent></w:sdt>`
    const asks = '<w:showingPlcHdr/>'
    const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
    expect(
      await textOf(
        `<w:p>${run('Name: ')}${field(run('Ash'))}${field(run('Click to enter'), asks)}</w:p>${field(p('Choose an item'), asks)}${field(p('chosen'))}`,
      ),
    ).toBe('Name: Ash\n\nchosen')
  })

  it('keeps links, and reads text boxes once', async () => {
    const link = '<w:p><w:hyperlink r:id="web"><w:r><w:t>our site</w:t></w:r></w:hyperlink></w:p>'
    const boxed = `<w:p><w:r><w:t>beside</w:t></w:r><w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>${p('in a box')}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${p('in a box')}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`
    const text = await textOf(link + boxed, {}, [
      { id: 'web', type: 'hyperlink', target: 'https://example.org/a', external: true },
    ])
    expect(text).toBe('[our site](https://example.org/a)\n\nbeside\n\nin a box')
  })

  it('sets notes at the end of the section that refers to them, and leaves figures in tables bare', async () => {
    const reference = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    const note = `<w:footnote w:id="-1" w:type="separator">${p('line')}</w:footnote><w:footnote w:id="2">${p('As measured.')}</w:footnote>`
    const figure = `<w:tc><w:p><w:r><w:t>12</w:t></w:r>${reference}</w:p></w:tc>`
    const body = `<w:p><w:r><w:t>It rose</w:t></w:r>${reference}</w:p>${styled('H2', 'Next')}${p('end')}${table(row(cell('a') + cell('b')), row(cell('c') + figure))}`
    expect(await textOf(body, { footnotes: note })).toBe(
      'It rose[^1]\n\n[^1]: As measured.\n\n## Next\n\nend\n\n| a | b |\n| --- | --- |\n| c | 12 |\n\n[^2]: As measured.',
    )
  })

  it('takes the links of a note or a footer from its own part', async () => {
    const link = (words: string) => `<w:p><w:hyperlink r:id="web"><w:r><w:t>${words}</w:t></w:r></w:hyperlink></w:p>`
    const note = `<w:footnote w:id="2">${link('source')}</w:footnote>`
    const body = `${link('site')}<w:p><w:r><w:t>text</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>${link('site again')}`
    const at = (target: string) => ({ id: 'web', type: 'hyperlink', target, external: true })
    const parts = unzipSync(docxOf(body, { footnotes: note, footer: link('us') }, [at('https://example.org/body_(1)')]))
    for (const part of ['footnotes', 'footer'])
      parts[`word/_rels/${part}.xml.rels`] = strToU8(relationsXml([at(`https://example.org/${part}`)]))
    const text = (await readDocx(zipSync(parts), { name: 'a.docx' })).parts[0]?.text
    expect(text).toBe(
      '[us](https://example.org/footer)\n\n[site](https://example.org/body_%281%29)\n\ntext[^1]\n\n[site again](https://example.org/body_%281%29)\n\n[^1]: [source](https://example.org/footnotes)',
    )
  })

  it('reads the points of a diagram, each on a line', async () => {
    const diagram = unzipSync(
      docxOf('<w:p><w:r><w:drawing><dgm:relIds r:dm="data"/></w:drawing></w:r></w:p>', {
        data: '<dgm:pt><dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p><a:p><a:r><a:t>two weeks</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt/>',
      }),
    )
    const rels = 'word/_rels/document.xml.rels'
    diagram[rels] = strToU8(strFromU8(diagram[rels]!).replace('own-data', 'data'))
    expect((await readDocx(zipSync(diagram), { name: 'a.docx' })).parts[0]?.text).toBe('- Plan two weeks')
  })

  it('writes formulas in LaTeX', async () => {
    const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
    const area = `<w:p><w:r><w:t>The area is </w:t></w:r><m:oMath>${run('A=π')}<m:sSup><m:e>${run('r')}</m:e><m:sup>${run('2')}</m:sup></m:sSup></m:oMath></w:p>`
    const sum = `<w:p><m:oMathPara><m:oMath><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${run('n=1')}</m:sub><m:sup>${run('∞')}</m:sup><m:e><m:f><m:num>${run('1')}</m:num><m:den><m:rad><m:e>${run('n')}</m:e></m:rad></m:den></m:f></m:e></m:nary></m:oMath></m:oMathPara></w:p>`
    const given = `<w:p><m:oMath>${run('P')}<m:d><m:e>${run('A')}</m:e><m:e>${run('B')}</m:e></m:d>${run(' 𝑥²')}<w:del>${run('old')}</w:del></m:oMath></w:p>`
    expect(await textOf(given)).toBe('$P\\left(A|B\\right) x²$')
    expect(await textOf(area + sum)).toBe(
      'The area is $A=\\pi r^{2}$\n\n$$\\sum_{n=1}^{\\infty} \\frac{1}{\\sqrt{n}}$$',
    )
  })

  it('has headers and footers once, without the numbers of pages', async () => {
    const beside = { header: p('Contract 2024-17'), footer: p('Page 3 of 9') }
    expect(await textOf(p('body'), beside)).toBe('Contract 2024-17\n\nbody')
  })

  it('says of a part in another format that it was not read', async () => {
    expect((await read(p('words') + '<w:altChunk r:id="x"/>')).notes).toEqual([
      'An embedded part in another format was not read. Open the document in Word, save it and upload it again.',
    ])
    await expect(read('<w:altChunk r:id="x"/>')).rejects.toMatchObject({
      reason: 'no-text',
      words: expect.stringContaining('Open the document in Word') as unknown,
    })
  })

  it('is refused without text, and where it holds no document', async () => {
    const reason = async (act: Promise<unknown>) =>
      act.then(
        () => 'none',
        (error: unknown) => (error instanceof Unfit ? error.reason : String(error)),
      )
    expect(await reason(read('<w:p/>'))).toBe('no-text')
    expect(await reason(read(table(row(cell('x', '<w:gridSpan w:val="1000000"/>')), row(cell('y')))))).toBe('bomb')
    expect(await reason(readDocx(zipped({ 'a.xml': '<a/>' }), { name: 'a.docx' }))).toBe('unreadable')
    const rest = unzipSync(docxOf(p('x')))
    delete rest['word/document.xml']
    expect(await reason(readDocx(zipSync(rest), { name: 'a.docx' }))).toBe('unreadable')
  })
})
