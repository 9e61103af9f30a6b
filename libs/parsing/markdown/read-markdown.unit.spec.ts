import { describe, expect, it } from 'vitest'
import { readMarkdown } from './read-markdown'

const read = async (source: string | Uint8Array) => {
  const { parts, ...about } = await readMarkdown(
    typeof source === 'string' ? new TextEncoder().encode(source) : source,
    { name: 'a.md' },
  )
  expect(about.markup).toBe('markdown')
  return { ...about, text: parts.map(({ text }) => text).join('\n\n') }
}
const textOf = async (source: string | Uint8Array): Promise<string> => (await read(source)).text

describe('readMarkdown', () => {
  it('leaves Markdown as it stands', async () => {
    const text =
      '# A *b*\n\n- one\n  - two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```html\n<table><tr><td>1</td></tr></table>\n<!-- c -->\na | b\n--|--\n```\n\ntext <b>bold</b> a < b\n'
    expect(await textOf(text)).toBe(text)
    expect(await textOf('\uFEFF# A\r\n\r\nx')).toBe('# A\n\nx')
    expect(await textOf(Uint8Array.from(Buffer.from('# Zürich', 'latin1')))).toBe('# Zürich')
  })

  it('tells the title of its front matter', async () => {
    expect((await read('---\nlayout: x\ntitle: "A: b"\n---\n\n# C')).title).toBe('A: b')
    expect((await read('+++\ntitle = "A"\n+++\n\n# C')).title).toBe('A')
    expect((await read('---\n# required\nauthor: x\n---\n\nC')).title).toBeUndefined()
  })

  it('takes the front matter out of its text as metadata, as it is written', async () => {
    expect(await read('---\ntitle: A\ntags: [x, y]\nversion: 1.10\nlang: no\n---\n\n# C')).toEqual({
      title: 'A',
      metadata: { tags: 'x, y', version: '1.10', lang: 'no' },
      markup: 'markdown',
      text: '# C',
    })
    expect((await read('+++\ndate = "2024"\n+++\nx')).metadata).toEqual({ date: '2024' })
    expect(await textOf('---\nno settings\n---\nx')).toBe('---\nno settings\n---\nx')
  })

  it('writes HTML tables as Markdown tables, merged cells and all', async () => {
    const html =
      '<table>\n<tr><th>Y</th><th>V</th></tr>\n\n<tr><td rowspan=2>2024</td><td>1</td></tr>\n<tr><td>2</td></tr>\n</table>'
    expect((await textOf(`Before\n${html}\nafter`)).replace(/\n{2,}/g, '\n\n')).toBe(
      'Before\n\n| Y | V |\n| --- | --- |\n| 2024 | 1 |\n| 2024 | 2 |\n\nafter',
    )
  })

  it('writes other HTML blocks as Markdown, drops comments and lone tags, and keeps Markdown between tags', async () => {
    expect((await textOf('<ul>\n  <li>one</li>\n  <li>two</li>\n</ul>\n<!-- no\nno -->\nx')).trim()).toBe(
      '- one\n- two\n\nx',
    )
    expect(
      (await textOf('<details>\n<summary>More</summary>\n\n**bold** text\n\n</details>'))
        .replace(/\n{2,}/g, '\n\n')
        .trim(),
    ).toBe('More\n\n**bold** text')
    expect((await textOf('<!-- never closed\n\ntext')).trim()).toBe('<!-- never closed\n\ntext')
  })

  it('knows a tag over several lines', async () => {
    expect((await textOf('<table\n  border="1">\n<tr><td>1</td><td>2</td></tr>\n</table>')).trim()).toBe(
      '| 1 | 2 |\n| --- | --- |',
    )
    expect((await textOf('<div\n  align="center">\n<h1>A</h1>\n</div>')).trim()).toBe('# A')
  })

  it('takes code within a line for no fence', async () => {
    const text = await textOf('```npm ci``` comes first\n\n# A\n\na | b\n--|--\n1 | 2\n\n<ul><li>x</li></ul>')
    expect(text.trim()).toBe('```npm ci``` comes first\n\n# A\n\n| a | b |\n| --|-- |\n| 1 | 2 |\n\n\n- x')
  })

  it('gives tables their outer pipes', async () => {
    expect(await textOf('a | b\n:-- | --:\n1 | 2\n\nx | y')).toBe('| a | b |\n| :-- | --: |\n| 1 | 2 |\n\nx | y')
    expect(await textOf('| a | b |\n|---|---|\n| 1 \\| 2 | 3')).toBe('| a | b |\n|---|---|\n| 1 \\| 2 | 3 |')
  })

  it('leaves a code block directly below a table as it is', async () => {
    const text = '| a | b |\n|---|---|\n| 1 | 2 |\n```text\nx | y\n--- | ---\n3 | 4\n```\n\n```\n5 | 6\n--|--\n```'
    expect(await textOf(text)).toBe(text)
  })

  it('takes no time over what is never closed', async () => {
    const text = await textOf('<!-- \n'.repeat(50_000) + '<div>\n'.repeat(50_000) + '```\n'.repeat(50_001))
    expect(text).toContain('<!--')
  })

  it.each([
    ['mislabelled', new TextEncoder().encode('text \0\0 more')],
    ['no-text', new TextEncoder().encode(' \n')],
  ])('refuses what is %s', async (reason, bytes) => expect(read(bytes)).rejects.toMatchObject({ reason }))
})
