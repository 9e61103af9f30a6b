import { expect, it } from 'vitest'
import { Format } from '@plumbline/contracts'
import { docxOf, pptxOf, sheetRows, xlsxOf } from './ooxml/sample-office'
import { readFormat } from './read'

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
    const { parts } = await readFormat[format](file, { name: `a.${format}` })
    expect(parts.map(({ text }) => text).join('\n'), format).toContain('planets')
  }
  expect(Object.keys(readFormat).sort()).toEqual([...Format.options].sort())
  await expect(readFormat.image(bytes('x'), { name: 'a.png' })).rejects.toMatchObject({
    reason: 'no-text',
    words: expect.stringContaining('DOCLING_URL') as unknown,
  })
})
