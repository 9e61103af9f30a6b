import { Format } from '@plumbline/contracts'
import { expect, it } from 'vitest'
import { loadReader } from './read-format'
import { docxOf, pptxOf, sheetRows, xlsxOf } from './spec/sample-office'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

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
  }
  for (const [format, file] of Object.entries(files) as [Format, Uint8Array][]) {
    const { parts } = await (await loadReader[format]())(file, { name: `a.${format}` })
    expect(parts.map(({ text }) => text).join('\n'), format).toContain('planets')
  }
  expect(Object.keys(loadReader).sort()).toEqual([...Format.options].sort())
  const readImage = await loadReader.image()
  await expect(readImage(bytes('x'), { name: 'a.png' })).rejects.toMatchObject({
    reason: 'no-text',
    words: expect.stringContaining('DOCLING_URL') as unknown,
  })
})
