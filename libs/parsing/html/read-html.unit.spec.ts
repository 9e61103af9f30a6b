import { describe, expect, it } from 'vitest'
import { readMarkdown } from '../markdown/read-markdown'
import { readHtml } from './read-html'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const read = async (source: string | Uint8Array) => {
  const { title, parts } = await readHtml(typeof source === 'string' ? bytes(source) : source, { name: 'page.html' })
  return { title, text: parts.map(({ text }) => text).join('\n\n') }
}
const sentence = (at: number): string =>
  `Paragraph ${at} tells, with some care, how the carbon of a region was measured, and by whom it was reviewed.`
const paragraphs = Array.from({ length: 20 }, (_, at) => `<p>${sentence(at)}</p>`).join('')
const data = '<table><tr><th>Region</th><th>CFE</th></tr><tr><td>Oslo</td><td>98%</td></tr></table>'

describe('readHtml', () => {
  it('tells the title that a page gives itself, or its first heading', async () => {
    expect((await read('<title> A  page </title><h1>Heading</h1><p>x')).title).toBe('A page')
    expect((await read('<h1>Heading</h1><p>x')).title).toBe('Heading')
    expect(await read('<p>x')).toEqual({ title: undefined, text: 'x' })
  })

  it('takes the article of a web page, with its tables, without navigation and ads', async () => {
    const { text } = await read(
      `<title>Carbon – Example</title><header><a href="/">Home of Example</a></header><nav><ul><li>Products</li><li>Prices</li></ul></nav>
      <main><article><h1>Carbon by region</h1>${paragraphs}${data}</article></main><aside class="ads">Buy now</aside><footer>Imprint</footer><script>track()</script>`,
    )
    expect(text).toMatch(/^# Carbon by region/)
    for (let at = 0; at < 20; at += 1) expect(text).toContain(sentence(at))
    expect(text).toContain('| Oslo | 98% |')
    expect(text).not.toMatch(/Products|Buy now|Imprint|track/)
  })

  it('takes what a page marks as its main part, without what the site has around it', async () => {
    const site =
      '<div><h2>Keyboard shortcuts</h2><p>Press S.</p></div><div><h1>The handbook</h1><a href="#">Top</a></div>'
    const { text } = await read(
      `<title>Carbon</title>${site}<main><h1>Carbon by region</h1>${paragraphs}<h2>Shares</h2>${data}</main>`,
    )
    expect(text).toMatch(/^# Carbon by region\n\nParagraph 0/)
    expect(text).toContain('\n\n## Shares\n\n| Region')
    expect(text).not.toMatch(/handbook|shortcuts|Press S/)
  })

  it('leaves out signs that link to their own place, and keeps notes', async () => {
    const { text } = await read(
      '<h1>Carbon<a class="headerlink" href="#carbon">¶</a></h1><h2>Shares <span><a href="#shares">#</a></span></h2><p>Oslo leads<a href="#n1">1</a>.</p>',
    )
    expect(text).toBe('# Carbon\n\n## Shares\n\nOslo leads1.')
  })

  it('takes the whole page where its main part is not nearly all of it, is not seen or has no name', async () => {
    const half = await read(`<div><p>Outside.</p>${paragraphs}</div><main><h1>Carbon</h1>${paragraphs}</main>`)
    expect(half.text).toMatch(/^Outside/)
    const hidden = await read(`<div><h1>Seen</h1><p>x</p></div><main hidden><h1>Hidden</h1>${paragraphs}</main>`)
    expect(hidden.text).toBe('# Seen\n\nx')
    expect((await read(`<h1>Carbon</h1><main>${paragraphs}</main>`)).text).toMatch(/^# Carbon\n\nParagraph 0/)
    expect((await read(`<h1>Carbon</h1><p>Mind this.</p><main>${data}${paragraphs}</main>${data}`)).text).toContain(
      'Mind',
    )
  })

  it('reads a document as it is read in Markdown', async () => {
    const table = '| Region | CFE |\n| --- | --- |\n| Oslo | 98% |'
    const { parts } = await readMarkdown(
      bytes(`# Carbon\n\nOf **each** region:\n\n- north\n- south\n\n## Shares\n\n${table}\n\n\`\`\`\nmake\n\`\`\``),
      { name: 'page.md' },
    )
    const { text } = await read(
      `<h1>Carbon</h1><p>Of <b>each</b> region:</p><ul><li>north</li><li>south</li></ul><h2>Shares</h2>${data}<pre>make</pre>`,
    )
    expect(text).toBe(parts.map((part) => part.text).join('\n\n'))
    expect(text).toContain(table)
  })

  it('gives an article its name, whatever its code looks like', async () => {
    const { text } = await read(
      `<title>Install</title><nav><a href="/">Home</a></nav><article>${paragraphs}<pre># as root\nmake</pre></article>`,
    )
    expect(text).toMatch(/^# Install\n\nParagraph 0/)
  })

  it('keeps all tables and texts of a page that is no article', async () => {
    const { text } = await read(
      `<div role="dialog"><h2>Cookies</h2><p>We value your privacy.</p></div><nav>Menu</nav><h1>Report</h1><div><p>Short.</p></div>${data.repeat(3)}<aside>Mind this.</aside><h2>Notes</h2><p>End.</p><footer>Imprint</footer>`,
    )
    expect(text).toMatch(/^# Report\n\nShort\.\n\n\| Region/)
    expect(text.match(/\| Oslo/g)).toHaveLength(3)
    expect(text).toContain('Mind this.\n\n## Notes\n\nEnd.')
    expect(text).not.toMatch(/Menu|Imprint|Cookies|privacy/)
  })

  it('shows a page of nothing but links rather than nothing', async () =>
    expect((await read('<nav><a href="a">One</a></nav>')).text).toBe('One'))

  it('loads nothing and runs nothing', async () =>
    expect(
      (
        await read(
          '<script>document.write("run")</script><p onclick="x()">still<img src="https://example.org/x.png" onerror="document.body.innerHTML=1"></p><iframe src="file:///etc/passwd"></iframe>',
        )
      ).text,
    ).toBe('still'))
})

describe('readHtml: encodings', () => {
  it('reads UTF-8, marked, said or not, and UTF-16', async () => {
    expect((await read('<p>Zürich 東京')).text).toBe('Zürich 東京')
    expect((await read('\uFEFF<p>Zürich')).text).toBe('Zürich')
    expect((await read('<meta charset="iso-8859-1"><p>Zürich')).text).toBe('Zürich')
    expect((await read(Uint8Array.from(Buffer.from('\uFEFF<p>Zürich', 'utf16le')))).text).toBe('Zürich')
  })
  it('reads what a page says it is written in, and Windows-1252 where it says nothing true', async () => {
    expect(
      (
        await read(
          latin1(
            '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>\xcc\xee\xf1\xea\xe2\xe0',
          ),
        )
      ).text,
    ).toBe('Москва')
    expect((await read(latin1('<p>Z\xfcrich \x80 5'))).text).toBe('Zürich € 5')
    expect((await read(latin1('<meta charset="utf-8"><p>Z\xfcrich'))).text).toBe('Zürich')
  })
})

describe('readHtml: what it refuses', () => {
  it.each([
    ['no-text', '<title>x</title><div id="app"></div><script>start()</script>'],
    ['mislabelled', '%PDF-1.7 …'],
    ['mislabelled', 'PK\u0003\u0004\0\0'],
  ])('%s', async (reason, source) =>
    expect(readHtml(bytes(source), { name: 'page.html' })).rejects.toMatchObject({ reason }),
  )
})
