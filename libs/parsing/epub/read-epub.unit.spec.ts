import { describe, expect, it } from 'vitest'
import { entry, zip, type Entry } from '../spec/sample-office'
import { readEpub } from './read-epub'

const container = entry(
  'META-INF/container.xml',
  '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
)
const book = entry(
  'OPS/book.opf',
  '<package><metadata><dc:title xmlns:dc="d">The Book</dc:title></metadata><manifest><item id="two" href="b.xhtml"/><item id="one" href="a%20b.xhtml"/></manifest><spine><itemref idref="one"/><itemref idref="two"/></spine></package>',
)
const pages = [
  entry('OPS/b.xhtml', '<html><body><p>end</p></body></html>'),
  entry(
    'OPS/a b.xhtml',
    '<?xml version="1.0"?><html><head><title/></head><body><h1>One</h1><p>begin</p></body></html>',
  ),
]
const read = (entries: Entry[]) => readEpub(zip(entries), { name: 'a.epub' })

describe('an e-book', () => {
  it('is read chapter by chapter, in the order of its spine', async () => {
    expect(await read([container, book, ...pages])).toEqual({
      title: 'The Book',
      markup: 'markdown',
      parts: [{ text: '# One\n\nbegin' }, { text: 'end' }],
    })
  })

  it('keeps the number of a note apart from the word before it, and drops the sign that leads back', async () => {
    const note = entry(
      'OPS/b.xhtml',
      '<html xmlns:epub="e"><body><p>barges<a href="#n1" epub:type="noteref">1</a> pay</p><ol><li id="n1"><p>By day.<a href="#r1" role="doc-backlink">↩︎</a></p></li></ol></body></html>',
    )
    const { parts } = await read([container, book, pages[1]!, note])
    expect(parts[1]?.text).toBe('barges^1 pay\n\n1. By day.')
  })

  it('names a chapter that is missing', async () => {
    const { notes } = await read([container, book, pages[0]!])
    expect(notes).toEqual([expect.stringContaining('OPS/a b.xhtml')])
  })

  it('is refused where its chapters are locked, or nothing says where they are', async () => {
    const locked = entry('META-INF/encryption.xml', '<e><CipherReference URI="OPS/b.xhtml"/></e>')
    await expect(read([container, book, ...pages, locked])).rejects.toMatchObject({ reason: 'encrypted' })
    await expect(read([container, ...pages])).rejects.toMatchObject({ reason: 'unreadable' })
    const entities = entry('META-INF/container.xml', '<!DOCTYPE x [<!ENTITY a "b">]><c>&a;</c>')
    await expect(read([entities])).rejects.toMatchObject({ reason: 'bomb' })
  })
})
