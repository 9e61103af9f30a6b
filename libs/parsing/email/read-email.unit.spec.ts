import { describe, expect, it } from 'vitest'
import { readFile } from '../read-format'

const free = { loaded: <T>(load: () => Promise<T>) => load(), allow: () => undefined }
const read = (lines: string[]) => readFile({ bytes: new TextEncoder().encode(lines.join('\r\n')), name: 'a.eml' }, free)
const head = [
  'From: Ann <ann@x.org>',
  'To: bob@x.org',
  'Subject: =?utf-8?q?R=C3=A9sum=C3=A9?=',
  'Date: Mon, 3 Jun 2024 10:00:00 +0000',
]
const mixed = [...head, 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', '']

describe('a mail', () => {
  it('says who wrote to whom, what, and what is attached', async () => {
    const { title, parts, notes } = await read([
      ...mixed,
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>See <b>this</b>:</p><table><tr><th>a</th></tr><tr><td>1</td></tr></table>',
      '--b',
      'Content-Disposition: attachment; filename="f.csv"',
      '',
      'place,pue\r\nTaiwan,1.12',
      '--b',
      'Content-Disposition: attachment; filename="x.mp4"',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('\0\0\0\x18ftypmp42').toString('base64'),
      '--b--',
    ])
    expect(title).toBe('Résumé')
    expect(parts.map(({ text }) => text)).toEqual([
      '# Résumé\n\nFrom: Ann (ann@x.org)\nTo: bob@x.org\nDate: 2024-06-03T10:00:00.000Z\n\nSee **this**:\n\n| a |\n| --- |\n| 1 |',
      '# f.csv\n\n| place | pue |\n| --- | --- |\n| Taiwan | 1.12 |',
    ])
    expect(notes).toEqual([expect.stringContaining('x.mp4')])
  })

  it('has a mail that was forwarded as a document of its own below it', async () => {
    const { parts } = await read([
      ...mixed,
      '--b',
      'Content-Type: message/rfc822',
      '',
      'From: c@x.org',
      '',
      'inner',
      '--b--',
    ])
    expect(parts[1]?.text).toBe('# attachment 1.eml\n\nFrom: c@x.org\n\ninner')
  })

  it('is refused if it is invalid, empty, or nested without end', async () => {
    await expect(read(['just a text'])).rejects.toMatchObject({ reason: 'mislabelled' })
    await expect(read([...head, '', ''])).rejects.toMatchObject({ reason: 'no-text' })
    const deep = Array.from({ length: 60 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}`)
    await expect(read([...head, ...deep, '', 'x'])).rejects.toMatchObject({ reason: 'bomb' })
  })
})
