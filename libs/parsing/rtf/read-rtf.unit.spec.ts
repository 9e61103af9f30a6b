import { describe, expect, it } from 'vitest'
import { readRtf } from './read-rtf'

const read = (rtf: string) => readRtf(new TextEncoder().encode(rtf), { name: 'a.rtf' })
const textOf = async (rtf: string) => (await read(`{\\rtf1\\ansi ${rtf}}`)).parts[0]?.text

describe('rich text', () => {
  it('has its headings, characters and notes', async () => {
    const { title, parts } = await read(
      String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial;}{\f2\fcharset128 Mincho;}}{\stylesheet{\s1 heading 1;}}{\info{\title Report}{\author x}}\pard\s1 Intro\par\pard caf\'e9 \u8364? \f1\'cf\'f0\'e8 \f2\'93\'8c\f0{\footnote\pard said\par}\par{\v hidden}{\*\unknown x}{\field{\*\fldinst HYPERLINK "u"}{\fldrslt shown}}\par}`,
    )
    expect(title).toBe('Report')
    expect(parts[0]?.text).toBe('# Intro\n\ncafé € При 東[^1]\n\nshown\n\n[^1]: said')
  })

  it('has its tables, merged cells repeated, and its lists', async () => {
    expect(
      await textOf(
        String.raw`\trowd\clmgf\cellx1\clmrg\cellx2\cellx3\intbl A\cell\cell B\cell\row\trowd\cellx1\cellx2\cellx3\intbl 1\cell 2\cell 3\par 4\cell\row\pard after\par{\listtext 1.\tab}one\par\ilvl1{\listtext \bullet\tab}two\par`,
      ),
    ).toBe('| A | A | B |\n| --- | --- | --- |\n| 1 | 2 | 3 4 |\n\nafter\n\n1. one\n    - two')
  })

  it('keeps a heading whose label is blank, as LibreOffice writes it', async () => {
    expect(
      await textOf(
        String.raw`{\stylesheet{\s1 Heading 1;}}\pard\plain \s1\ilvl0\outlinelevel0{\listtext\pard\plain \tab}\ls1 {Berths}\par\pard\plain text\par`,
      ),
    ).toBe('# Berths\n\ntext')
  })

  it('has headers and footers once, without the numbers of pages', async () => {
    const field = String.raw`{\field{\*\fldinst PAGE}{\fldrslt 3}}`
    expect(
      await textOf(
        String.raw`{\header\pard Contract 2024-17\par}{\headerf Contract 2024-17\par}{\footer Page ${field}\par}body\par`,
      ),
    ).toBe('Contract 2024-17\n\nbody')
  })

  it('takes no word for what every object has', async () => {
    expect(await textOf(String.raw`a\constructor b\toString c`)).toBe('abc')
  })

  it('says that its end is missing, and is refused where it says nothing or nests without end', async () => {
    expect(await read('{\\rtf1 begin')).toMatchObject({ parts: [{ text: 'begin' }], notes: [expect.any(String)] })
    await expect(read('{\\rtf1{\\pict 00}}')).rejects.toMatchObject({ reason: 'no-text' })
    await expect(read(`{\\rtf1${'{'.repeat(100_000)}`)).rejects.toMatchObject({ reason: 'bomb' })
  })
})
