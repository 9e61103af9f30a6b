import { Format } from '@plumbline/contracts'
import { expect, it } from 'vitest'
import { loadReader, readFile } from './read-format'
import { docxOf, entry, pptxOf, sheetRows, xlsxOf, zip } from './spec/sample-office'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Allows reading without limits. */
const free = { loaded: <T>(load: () => Promise<T>) => load(), allow: () => undefined }

it('has a reader for each format, and for a picture the words of what it needs', async () => {
  const shape = '<p:sp><p:txBody><a:p><a:r><a:t>planets</a:t></a:r></a:p></p:txBody></p:sp>'
  const files: Partial<Record<Format, Uint8Array>> = {
    markdown: bytes('# planets'),
    text: bytes('planets'),
    html: bytes('<html><body><p>planets</p></body></html>'),
    asciidoc: bytes('= planets\n\nplanets'),
    csv: bytes('planets,moons\n8,200\n'),
    docx: docxOf('<w:p><w:r><w:t>planets</w:t></w:r></w:p>'),
    pptx: pptxOf([shape]),
    xlsx: xlsxOf([
      {
        name: 'One',
        rows: sheetRows([
          ['planets', 'moons'],
          [8, 200],
        ]),
      },
    ]),
    code: bytes('planets = 8'),
    odf: zip([
      entry('mimetype', 'application/vnd.oasis.opendocument.text'),
      entry('content.xml', '<d><body><text><p>planets</p></text></body></d>'),
    ]),
    rtf: bytes('{\\rtf1 planets}'),
    epub: zip([
      entry('META-INF/container.xml', '<c><rootfile full-path="a.opf"/></c>'),
      entry('a.opf', '<p><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></p>'),
      entry('a.xhtml', '<p>planets</p>'),
    ]),
    email: bytes('From: a@b.org\n\nplanets'),
    json: bytes('{"planets": 8}'),
    subtitles: bytes('1\n00:00:01,000 --> 00:00:02,000\nplanets'),
    archive: zip([entry('a.md', 'planets')]),
  }
  for (const [format, file] of Object.entries(files) as [Format, Uint8Array][]) {
    const { parts } = await readFile({ bytes: file, name: 'a', format }, free)
    expect(parts.map(({ text }) => text).join('\n'), format).toContain('planets')
  }
  expect(Object.keys(loadReader).sort()).toEqual([...Format.options].sort())
  const readImage = await loadReader.image()
  await expect(
    readImage(bytes('x'), { name: 'a.png', readMember: () => Promise.reject(new Error()) }),
  ).rejects.toMatchObject({
    reason: 'no-text',
    words: expect.stringContaining('DOCLING_URL') as unknown,
  })
})

it('takes a title that nobody gave for none, and the one heading over all others instead', async () => {
  const titleOf = async (text: string, name: string) => (await readFile({ bytes: bytes(text), name }, free)).title
  expect(await titleOf('<html><title>Untitled Document</title><body><p>x', 'a.html')).toBeUndefined()
  expect(await titleOf('<html><title>Untitled Document</title><body><h1>Own</h1><p>x', 'a.html')).toBe('Own')
  expect(await titleOf('<html><title>Given</title><body><h1>Own</h1><p>x', 'a.html')).toBe('Given')
  expect(await titleOf('= untitled\n\ntext', 'a.adoc')).toBeUndefined()
  expect(await titleOf('```sh\n# no\n```\n\n# **Bold** [link](u) #\n\nx', 'a.md')).toBe('Bold link')
  const rtf = (title: string) => `{\\rtf1{\\info{\\title ${title}}}\\pard text\\par}`
  expect(await titleOf(rtf('- 12 -'), 'a.rtf')).toBeUndefined()
  expect(await titleOf(rtf('Plan 12'), 'a.rtf')).toBe('Plan 12')
  expect(await titleOf('Name\n====\n\nx', 'a.md')).toBe('Name')
  expect(await titleOf('---\n# required\nauthor: x\n---\n\n# C', 'a.md')).toBe('C')
  expect(await titleOf('# Handbook\n\n# Leave\n\nx', 'a.md')).toBe('Handbook')
  expect(await titleOf('![logo](x.svg)\n\n# Features\n\nx\n\n# Install\n\ny', 'a.md')).toBeUndefined()
})

it('gives the cells of every table with their header rows and spans, whether it was written here or came as Markdown', async () => {
  const html = `<table><thead><tr><th rowspan="2">Line</th><th colspan="2">Year ended</th></tr><tr><th>2023</th><th>2022</th></tr></thead>
    <tbody><tr><td>Sales</td><td>1|2</td><td>(3)</td></tr></tbody></table><p>End.</p>`
  const tablesOf = async (text: string, format: Format) =>
    (await readFile({ bytes: bytes(text), name: 'a', format }, free)).parts.map(({ tables }) => tables)
  expect(await tablesOf(`<html><body>${html}</body></html>`, 'html')).toEqual([
    [
      {
        line: 0,
        header: [
          ['Line', 'Year ended', 'Year ended'],
          ['Line', '2023', '2022'],
        ],
        rows: [['Sales', '1|2', '(3)']],
        spans: [
          [0, 0, 1, 2],
          [0, 1, 2, 1],
        ],
      },
    ],
  ])
  expect(await tablesOf('# T\n\n| a | b |\n|---|---|\n| 1 \\| 2 | x |\n', 'markdown')).toEqual([
    [{ line: 2, header: [['a', 'b']], rows: [['1 | 2', 'x']] }],
  ])
  expect(await tablesOf('No table.', 'markdown')).toEqual([[]])
})
