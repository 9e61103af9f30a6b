import { describe, expect, it } from 'vitest'
import { readAsciidoc } from './read-asciidoc'

const read = async (source: string) => readAsciidoc(new TextEncoder().encode(source), { name: 'a.adoc' })
const textOf = async (source: string): Promise<string> =>
  (await read(source)).parts.map(({ text }) => text).join('\n\n')

describe('readAsciidoc', () => {
  it('writes title, sections, lists and notes', async () => {
    const { title, parts } = await read(
      '= The title\n:toc:\n:author: A\n\nFirst.\n\n== Part\n\n* a\n** b\n\nText.\n\nTerm:: said\n\nNOTE: Take care.\n\n[horizontal]\nCPU:: fast\n',
    )
    expect(title).toBe('The title')
    expect(parts[0]?.text).toBe(
      '# The title\n\nFirst.\n\n## Part\n\n- a\n    - b\n\nText.\n\n- **Term**\n    - said\n\n**Note:** Take care.\n\n**CPU**\n\nfast',
    )
  })

  it('treats terms beside their texts as no table, whatever precedes them', async () =>
    expect(await textOf('.What _each_ is\n[horizontal]\nCPU:: fast\nRAM:: large\n')).toBe(
      'What *each* is\n\n**CPU**\n\nfast\n\n**RAM**\n\nlarge',
    ))

  it('writes tables with their caption, header and merged cells', async () =>
    expect(
      await textOf(
        '.Rates\n[cols="3*",options="header"]\n|===\n|Region |2023 |2024\n\n.2+|Oslo |1% |2%\n2+|none\n|===',
      ),
    ).toBe(
      'Table 1. Rates\n\n| Region | 2023 | 2024 |\n| --- | --- | --- |\n| Oslo | 1% | 2% |\n| Oslo | none | none |',
    ))

  it('takes the title of the document alone for one', async () => {
    expect((await read('Text.\n\n[source,sh]\n----\n# install\n----\n')).title).toBeUndefined()
    expect((await read('= The __init__ file\n\nText.\n')).title).toBe('The init file')
  })

  it('keeps code with its language', async () =>
    expect(await textOf('[source,ruby]\n----\ndef a # <1>\n  1 < 2\nend\n----\n<1> Says so.')).toBe(
      '```ruby\ndef a # (1)\n  1 < 2\nend\n```\n\n1. Says so.',
    ))

  it('reads no other file, and says what it left out', async () => {
    const { parts, notes } = await read(
      '= T\n\ninclude::/etc/passwd[]\n\ninclude::part/passwd.adoc[tag=a] \n\nText {docdir} image::/etc/hosts[]\n\nifdef::a[x]\n',
    )
    expect(parts[0]?.text).toContain('Text')
    expect(parts[0]?.text).not.toMatch(/root:|passwd|localhost/)
    expect(notes?.[0]).toBe('The document includes 2 other files, which were not read. Upload those files too.')
  })

  it('refuses a document of settings alone', async () =>
    expect(read(':toc:\n// nothing\n')).rejects.toMatchObject({ reason: 'no-text' }))
})
