import { describe, expect, it } from 'vitest'
import { readCsv } from './read-csv'
import { utf32 } from '../spec/utf32'

const read = async (bytes: Uint8Array | string) =>
  readCsv(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes, { name: 'a.csv' })
const rowsOf = async (bytes: Uint8Array | string): Promise<string[]> =>
  (await read(bytes)).parts[0]!.text.split('\n').filter((_, at) => at !== 1)

describe('a table of text', () => {
  it.each([
    [',', 'b,c'],
    [';', 'b;c'],
    ['\t', 'b c'],
    ['|', 'b\\|c'],
  ])('is cut at %j, but not in quotes', async (mark, kept) => {
    expect(await rowsOf(`name${mark}size\nAsh the "old" one${mark}4\n"b${mark}c"${mark}5\n`)).toEqual([
      '| name | size |',
      '| Ash the "old" one | 4 |',
      `| ${kept} | 5 |`,
    ])
  })

  it.each([2, 30])('takes decimal commas for what they are, in %d rows', async (count) => {
    expect(await rowsOf(`a;b\n${'1,5;2,5\n'.repeat(count)}`)).toEqual([
      '| a | b |',
      ...Array.from({ length: count }, () => '| 1,5 | 2,5 |'),
    ])
    expect(await rowsOf('0,1;2,5\n'.repeat(count))).toContain('| 0,1 | 2,5 |')
  })

  it('may have rows that leave out their last fields', async () => {
    const rows = [
      '1,Buzz,1993,1996,1997',
      '2,Rex,1996',
      '3,Bo,1996,1997',
      '4,Hamm,1997,1998',
      '5,Slink,1998,1999,2000,2001',
    ]
    expect(await rowsOf(`version,name,created,release,eol,lts\n${rows.join('\n')}\n`)).toEqual([
      '| version | name | created | release | eol | lts |',
      '| 1 | Buzz | 1993 | 1996 | 1997 |  |',
      '| 2 | Rex | 1996 |  |  |  |',
      '| 3 | Bo | 1996 | 1997 |  |  |',
      '| 4 | Hamm | 1997 | 1998 |  |  |',
      '| 5 | Slink | 1998 | 1999 | 2000 | 2001 |',
    ])
  })

  it('is not split at a delimiter that only occurs in its rows', async () => {
    expect(await rowsOf(`x,y,tags\n${'1,2,a|b\n'.repeat(9)}`)).toEqual([
      '| x | y | tags |',
      ...Array.from({ length: 9 }, () => '| 1 | 2 | a\\|b |'),
    ])
  })

  it('is recognized by its delimiter if a field contains a single quote', async () => {
    for (const size of ['5"', '5""'])
      expect(await rowsOf(`${size} pipe;1,5;a\n6;2,5;b\n7;3,5;c\n`)).toEqual([
        '|  |  |  |',
        `| ${size} pipe | 1,5 | a |`,
        '| 6 | 2,5 | b |',
        '| 7 | 3,5 | c |',
      ])
    expect((await rowsOf('"a ""b"";\nc";d,e\n"f";g,h\n'))[0]).toBe('| a "b"; c | d,e |')
  })

  it('may be a list of any length with something behind its last item', async () => {
    expect((await rowsOf(`${'name\n'.repeat(150_000)}x, y\n`)).at(-1)).toBe('| x | y |')
  })

  it('is read piece by piece as it would be whole', async () => {
    const rows = Array.from(
      { length: 60_000 },
      (_, n) => `${n},"é ""${n}"" of\r\nthe list",${n % 7 === 0 ? '' : n / 2}`,
    )
    const text = await rowsOf(`Ducks,,\nYear,Name,Size\n${rows.join('\r\n')}\n7\nSource: the duck office,,\n`)
    expect([text[0], text[1]]).toEqual(['Ducks', '| Year | Name | Size |'])
    expect(text.slice(3, 60_003)).toEqual(
      rows.map((_, n) => `| ${n} | é "${n}" of the list | ${n % 7 === 0 ? '' : n / 2} |`),
    )
    expect(text.slice(60_003)).toEqual(['| 7 |  |  |', '', 'Source: the duck office'])
  })

  it.each([
    ['UTF-8 with a mark', new Uint8Array(Buffer.from('\ufeffnäme,b\né,1\n'))],
    ['UTF-16', new Uint8Array(Buffer.from('\ufeffnäme,b\né,1\n', 'utf16le'))],
    ['UTF-16 without a mark', new Uint8Array(Buffer.from('näme,b\né,1\n', 'utf16le'))],
    ['UTF-32', utf32('näme,b\né,1\n', 'utf-32be')],
    ['Windows-1252', new Uint8Array(Buffer.from('näme,b\né,1\n', 'latin1'))],
  ])('is read in %s', async (_, bytes) => {
    expect(await rowsOf(bytes)).toEqual(['| näme | b |', '| é | 1 |'])
  })

  it('is read as UTF-8 where a few bytes of it are none', async () => {
    expect(
      await rowsOf(
        new Uint8Array(
          Buffer.concat([Buffer.from('Stadt,b\nMünchen,1\nKöln,2\n'), Buffer.from('Genève,3\n', 'latin1')]),
        ),
      ),
    ).toEqual(['| Stadt | b |', '| München | 1 |', '| Köln | 2 |', '| Gen\ufffdve | 3 |'])
  })

  it('keeps line breaks in quotes in one cell, and rows that are too short or too long', async () => {
    expect(await rowsOf('a,b\r\n"one\r\ntwo",2\r\n3\r\n\r\n4,5,6\r\n')).toEqual([
      '| a | b |  |',
      '| one two | 2 |  |',
      '| 3 |  |  |',
      '| 4 | 5 | 6 |',
    ])
  })

  it('heeds a first line that names the delimiter, and sets a title above the table', async () => {
    expect((await read('sep=;\nDucks, by year;;\nYear;Ducks;Note\n2020;1;x\n')).parts[0]?.text.split('\n\n')).toEqual([
      'Ducks, by year',
      '| Year | Ducks | Note |\n| --- | --- | --- |\n| 2020 | 1 | x |',
    ])
  })

  it('may have one column', async () => {
    expect(await rowsOf('Name\nAsh\nOak\n')).toEqual(['| Name |', '| Ash |', '| Oak |'])
  })

  it('says on which line a quote is left open', async () => {
    await expect(read('a,b\n1,"fine"\n2,"open\n3,4\n')).rejects.toMatchObject({
      reason: 'unreadable',
      words: expect.stringContaining('line 3') as unknown,
    })
  })

  it('takes a quote inside a field as a character, and a doubled one as one', async () => {
    expect(await rowsOf('a,b\n5" pipe,"say ""hi"" now"\n , x \n')).toEqual([
      '| a | b |',
      '| 5" pipe | say "hi" now |',
      '|  | x |',
    ])
  })

  it('is refused when empty, binary, or padded beyond bounds', async () => {
    await expect(read('\n\n')).rejects.toMatchObject({ reason: 'no-text' })
    await expect(read('a,b\0\0c\n')).rejects.toMatchObject({ reason: 'mislabelled' })
    await expect(read(`${'x,'.repeat(5_000)}\n${'y\n'.repeat(5_000)}`)).rejects.toMatchObject({ reason: 'too-large' })
    await expect(read('"'.repeat(4_000_000))).rejects.toMatchObject({ reason: 'too-large' })
    await expect(read('a,'.repeat(20_000))).rejects.toMatchObject({ reason: 'too-large' })
  })
})
