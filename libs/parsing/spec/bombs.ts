import { deflateRawSync } from 'node:zlib'
import { entry, flate, pdf, swollen, zip, type Entry } from './sample-office'

type Bomb = { name: string; make: () => Buffer }

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const types = (main: string, kind: string): Entry =>
  entry(
    '[Content_Types].xml',
    `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
  )
const relations = (name: string, list: [string, string][]): Entry =>
  entry(
    name,
    `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.map(([type, target], n) => `<Relationship Id="rId${n + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`).join('')}</Relationships>`,
  )

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const cellsNs = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const docxWith = (body: Entry, again: string[] = []): Buffer =>
  zip(
    [
      types('word/document.xml', 'wordprocessingml.document'),
      relations('_rels/.rels', [['officeDocument', 'word/document.xml']]),
      body,
    ],
    again,
  )
const documentXml = (inner: string, head = ''): string =>
  `${xml}${head}<w:document xmlns:w="${word}"><w:body>${inner}</w:body></w:document>`
const docx = (inner: string, head = ''): Buffer => docxWith(entry('word/document.xml', documentXml(inner, head)))
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

const xlsx = (sheet: Entry, strings?: Entry): Buffer =>
  zip([
    types('xl/workbook.xml', 'spreadsheetml.sheet'),
    relations('_rels/.rels', [['officeDocument', 'xl/workbook.xml']]),
    relations('xl/_rels/workbook.xml.rels', [
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ]),
    entry(
      'xl/workbook.xml',
      `${xml}<workbook xmlns="${cellsNs}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    strings ?? entry('xl/sharedStrings.xml', `${xml}<sst xmlns="${cellsNs}"/>`),
    sheet,
  ])
const sheetXml = (inner: string): string => `${xml}<worksheet xmlns="${cellsNs}">${inner}</worksheet>`
const sheet = (inner: string): Entry => entry('xl/worksheets/sheet1.xml', sheetXml(inner))
const pptxSlide = (slide: Entry): Buffer =>
  zip([
    types('ppt/presentation.xml', 'presentationml.presentation'),
    relations('_rels/.rels', [['officeDocument', 'ppt/presentation.xml']]),
    relations('ppt/_rels/presentation.xml.rels', [['slide', 'slides/slide1.xml']]),
    entry(
      'ppt/presentation.xml',
      `${xml}<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>`,
    ),
    slide,
  ])

const laughs = `<!DOCTYPE x [<!ENTITY a0 "${'ha'.repeat(50)}">${Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join('')}]>`
const catalog = '<</Type /Catalog /Pages 2 0 R>>'
const onePage = (contents: string): string =>
  `<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources <</Font <</F 5 0 R>>>> ${contents}>>`
const font = '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>'
const pdfOf = (stream: Buffer, filter: string): Buffer =>
  pdf([
    catalog,
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    onePage('/Contents 4 0 R'),
    { dictionary: `/Filter ${filter}`, stream },
    font,
  ])

/** A drawing that contains itself three times, so drawing it never ends. */
const selfDrawn = (): Buffer => {
  const resources = '/Resources <</XObject <</X 5 0 R>> /Font <</F 6 0 R>>>>'
  return pdf([
    catalog,
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    `<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${resources}>>`,
    { dictionary: '', stream: Buffer.from('/X Do '.repeat(4)) },
    {
      dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 612 792] ${resources}`,
      stream: Buffer.from('BT /F 9 Tf (a) Tj ET /X Do /X Do /X Do'),
    },
    font,
  ])
}

const attributes = (count: number, value = ''): string =>
  Array.from({ length: count }, (_, n) => `a${n}${value}`).join(' ')

/** Nine levels with ten children each make 10⁹ pages in a few hundred bytes. */
const manyPages = (): Buffer => {
  const level = (n: number): string =>
    `<</Type /Pages /Count ${10 ** (9 - n)} /Kids [${`${n === 8 ? 11 : n + 3} 0 R `.repeat(10)}]>>`
  return pdf([
    catalog,
    ...Array.from({ length: 9 }, (_, n) => level(n)),
    '<</Type /Page /Parent 10 0 R /MediaBox [0 0 612 792]>>',
  ])
}
const png = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(25)
  header.writeUInt32BE(13, 0)
  header.write('IHDR', 4)
  header.writeUInt32BE(width, 8)
  header.writeUInt32BE(height, 12)
  header.set([8, 6], 16)
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), header])
}
const nestedZip = (depth: number): Buffer => {
  let inner = swollen(100)
  for (let n = 0; n < depth; n++)
    inner = zip(
      Array.from({ length: 16 }, (_, at) => ({ name: `${at}.zip`, packed: deflateRawSync(inner), says: inner.length })),
    )
  return inner
}

/** These small files expand to a huge size or would take forever to read. The parser must reject all of them. */
export const bombs: Bomb[] = [
  {
    name: 'flat.docx',
    make: () => docxWith({ name: 'word/document.xml', packed: swollen(3_000), says: 3_000_000_000 }),
  },
  {
    name: 'lying.docx',
    make: () =>
      docxWith({ name: 'word/document.xml', packed: swollen(3_000, documentXml('').slice(0, -30)), says: 1_000 }),
  },
  {
    name: 'overlapping.docx',
    make: () =>
      docxWith(
        { name: 'word/document.xml', packed: swollen(10), says: 10_000_000 },
        Array.from({ length: 5_000 }, (_, n) => `word/${n}.xml`),
      ),
  },
  {
    name: 'entries.pptx',
    make: () =>
      zip(
        [types('ppt/presentation.xml', 'presentationml.presentation'), entry('ppt/presentation.xml', 'x')],
        Array.from({ length: 60_000 }, (_, n) => `${n}`),
      ),
  },
  { name: 'nested.docx', make: () => zip([entry('a.zip', nestedZip(3))]) },
  { name: 'laughs.docx', make: () => docx(paragraph('&a9;'), laughs) },
  {
    name: 'deep.docx',
    make: () => docx(`${'<w:tbl><w:tr><w:tc>'.repeat(100_000)}${'</w:tc></w:tr></w:tbl>'.repeat(100_000)}`),
  },
  {
    name: 'slide.pptx',
    make: () => pptxSlide({ name: 'ppt/slides/slide1.xml', packed: swollen(2_000, '<p:sld>'), says: 5_000 }),
  },
  { name: 'laughs.pptx', make: () => pptxSlide(entry('ppt/slides/slide1.xml', `${xml}${laughs}<p:sld>&a9;</p:sld>`)) },
  {
    name: 'sheet.xlsx',
    make: () =>
      xlsx({ name: 'xl/worksheets/sheet1.xml', packed: swollen(4_000, '<worksheet><sheetData>'), says: 4_000_000_000 }),
  },
  {
    name: 'strings.xlsx',
    make: () =>
      xlsx(sheet('<sheetData/>'), { name: 'xl/sharedStrings.xml', packed: swollen(1_000, '<sst><si><t>'), says: 900 }),
  },
  {
    name: 'laughs.xlsx',
    make: () =>
      xlsx(
        entry(
          'xl/worksheets/sheet1.xml',
          `${xml}${laughs}<worksheet><sheetData><row><c t="inlineStr"><is><t>&a9;</t></is></c></row></sheetData></worksheet>`,
        ),
      ),
  },
  {
    name: 'merged.xlsx',
    make: () =>
      xlsx(
        sheet(
          '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData><mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>',
        ),
      ),
  },
  {
    name: 'cells.xlsx',
    make: () => xlsx(sheet(`<sheetData>${`<row>${'<c><v>1</v></c>'.repeat(2_000)}</row>`.repeat(3_000)}</sheetData>`)),
  },
  { name: 'pages.pdf', make: manyPages },
  { name: 'circle.pdf', make: () => pdf([catalog, '<</Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000>>']) },
  { name: 'flate.pdf', make: () => pdfOf(flate(swollen(2_000, 'BT /F 12 Tf (a) Tj ')), '/FlateDecode') },
  {
    name: 'flate-twice.pdf',
    make: () => pdfOf(flate(deflateRawSync(flate(swollen(20_000)))), '[/FlateDecode /FlateDecode]'),
  },
  {
    name: 'text.pdf',
    make: () =>
      pdfOf(
        flate(deflateRawSync(Buffer.from(`BT /F 1 Tf ${'(aaaaaaaaaaaaaaaaaaaa) Tj 0 -1 Td '.repeat(500_000)} ET`))),
        '/FlateDecode',
      ),
  },
  {
    name: 'forms.pdf',
    make: () =>
      pdf([
        catalog,
        '<</Type /Pages /Kids [3 0 R] /Count 1>>',
        '<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources <</XObject <</X 5 0 R>> /Font <</F 15 0 R>>>>>>',
        { dictionary: '', stream: Buffer.from('/X Do '.repeat(10)) },
        ...Array.from({ length: 10 }, (_, n) => ({
          dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources <</XObject <</X ${n === 9 ? 5 : n + 6} 0 R>> /Font <</F 15 0 R>>>>`,
          stream: Buffer.from(`BT /F 12 Tf (a) Tj ET ${'/X Do '.repeat(10)}`),
        })),
        font,
      ]),
  },
  { name: 'self.pdf', make: selfDrawn },
  { name: 'columns.csv', make: () => Buffer.from('a,'.repeat(10_000_000)) },
  { name: 'quote.csv', make: () => Buffer.concat([Buffer.from('a,b\n1,"'), Buffer.alloc(60_000_000, 'x, y\n')]) },
  {
    name: 'rows.csv',
    make: () => Buffer.from(`${Array.from({ length: 2_000 }, (_, n) => `c${n}`).join()}\n${'1\n'.repeat(3_000_000)}`),
  },
  { name: 'quotes.csv', make: () => Buffer.alloc(20_000_000, '"') },
  { name: 'line.txt', make: () => Buffer.alloc(90_000_000, 'x') },
  {
    name: 'spans.html',
    make: () =>
      Buffer.from(`<table>${`<tr>${'<td colspan=1000 rowspan=65534>x'.repeat(100)}</tr>`.repeat(100)}</table>`),
  },
  { name: 'attributes.html', make: () => Buffer.from(`<p ${attributes(300_000)}>x</p>`) },
  { name: 'attributes-quoted.html', make: () => Buffer.from(`<p ${attributes(300_000, '="<b>"')}>x</p>`) },
  {
    name: 'attributes-later.html',
    make: () => Buffer.from(Array.from({ length: 300_000 }, (_, n) => `<body a${n}>`).join('x')),
  },
  { name: 'deep.html', make: () => Buffer.from(`${'<div><p>x'.repeat(200_000)}`) },
  { name: 'formatting.html', make: () => Buffer.from(`${'<a><b><i><font>'.repeat(3_000)}${'<p>x'.repeat(3_000)}`) },
  { name: 'picture.png', make: () => png(1_000_000, 1_000_000) },
]

/** Small files that are slow to read. The parser must read or reject each of them within a short time. */
export const burdens: Bomb[] = [
  {
    name: 'spans.docx',
    make: () =>
      docx(
        `<w:tbl>${`<w:tr>${'<w:tc><w:tcPr><w:gridSpan w:val="1000000000"/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>'.repeat(50)}</w:tr>`.repeat(50)}</w:tbl>`,
      ),
  },
  {
    name: 'wide.csv',
    make: () =>
      Buffer.from(
        `${Array.from({ length: 1_000 }, (_, n) => `c${n}`).join()}\n${`1${','.repeat(999)}\n`.repeat(4_000)}`,
      ),
  },
  {
    name: 'attributes.adoc',
    make: () =>
      Buffer.from(
        `:a0: ${'ha'.repeat(50)}\n${Array.from({ length: 9 }, (_, n) => `:a${n + 1}: ${`{a${n}}`.repeat(10)}\n`).join('')}\n{a9}\n`,
      ),
  },
  {
    name: 'deep.md',
    make: () =>
      Buffer.from(
        `${'> '.repeat(50_000)}x\n\n${Array.from({ length: 2_000 }, (_, n) => `${' '.repeat(n)}- x`).join('\n')}`,
      ),
  },
  {
    name: 'brackets.md',
    make: () => Buffer.from('[a]('.repeat(100_000) + '*a_ '.repeat(100_000) + '`'.repeat(100_001)),
  },
  {
    name: 'columns.md',
    make: () => Buffer.from(`${'|a'.repeat(20_000)}|\n${'|-'.repeat(20_000)}|\n${'|b'.repeat(20_000)}|\n`),
  },
  {
    name: 'lists.adoc',
    make: () => Buffer.from(Array.from({ length: 300 }, (_, n) => `${'*'.repeat(n + 1)} x`).join('\n')),
  },
  { name: 'quotes.adoc', make: () => Buffer.from(`${'*_`#'.repeat(20_000)}x`) },
  { name: 'line.html', make: () => Buffer.from(`<p>${'x'.repeat(2_000_000)}`) },
  { name: 'spaces.txt', make: () => Buffer.from(`${' '.repeat(1_000_000)}x\n`.repeat(5)) },
]
