import { describe, expect, it } from 'vitest'
import { entry, zip, type Entry } from '../spec/sample-office'
import { readOdf } from './read-odf'

const content = (body: string, styles = ''): Entry =>
  entry(
    'content.xml',
    `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:style="s" xmlns:xlink="x" xmlns:presentation="p" xmlns:dc="dc"><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
  )
const read = (body: string, styles?: string, ...more: Entry[]) =>
  readOdf(zip([content(body, styles), ...more]), { name: 'a.odt' })
const textOf = async (body: string, styles?: string) =>
  (await read(`<office:text>${body}</office:text>`, styles)).parts.map(({ text }) => text).join('\n\n')
const cell = (text: string, more = ''): string =>
  `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`
const row = (...cells: string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`

describe('an OpenDocument text', () => {
  it('has headings, lists, links, notes, comments and text boxes, and nothing that was deleted', async () => {
    const styles =
      '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style>'
    expect(
      await textOf(
        '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p text:style-name="Title">Name</text:p><text:h text:outline-level="1">One</text:h><text:p>a <text:span>b</text:span><text:s text:c="1"/>c<text:note><text:note-body><text:p>said</text:p></text:note-body></text:note><office:annotation><dc:creator>Ann</dc:creator><text:p>why</text:p></office:annotation> <text:a xlink:href="https://x.org">here</text:a><draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame></text:p><text:list text:style-name="L"><text:list-item><text:p>x</text:p><text:list><text:list-item><text:p>y</text:p></text:list-item></text:list></text:list-item></text:list>',
        styles,
      ),
    ).toBe(
      '# Name\n\n## One\n\na b c[^1][^2] [here](https://x.org)\n\nboxed\n\n1. x\n    - y\n\n[^1]: said\n\n[^2]: Comment by Ann: why',
    )
  })

  it('has headers and footers once, without the numbers of pages', async () => {
    const styles = entry(
      'styles.xml',
      '<office:document-styles xmlns:office="o" xmlns:text="t" xmlns:style="s"><office:master-styles><style:master-page><style:header><text:p>Contract 2024-17</text:p></style:header><style:header-left><text:p>Contract 2024-17</text:p></style:header-left><style:footer><text:p>Page <text:page-number>3</text:page-number> of <text:page-count>9</text:page-count></text:p></style:footer></style:master-page></office:master-styles></office:document-styles>',
    )
    const { parts } = await read('<office:text><text:p>body</text:p></office:text>', '', styles)
    expect(parts).toEqual([{ text: 'Contract 2024-17\n\nbody' }])
  })

  it('has tables with merged cells, and its own header rows', async () => {
    expect(
      await textOf(
        `<table:table><table:table-header-rows>${row(cell('A', 'table:number-columns-spanned="2"'), '<table:covered-table-cell/>')}</table:table-header-rows>${row(cell('1', 'table:number-columns-repeated="2"'))}</table:table>`,
      ),
    ).toBe('| A | A |\n| --- | --- |\n| 1 | 1 |')
  })
})

describe('OpenDocument sheets and slides', () => {
  it('are a part each; empty rows without end cost nothing, what is hidden is named', async () => {
    const { parts, notes } = await read(
      `<office:spreadsheet><table:table table:name="S">${row(cell('place'), cell('pue'))}${row(cell('Taiwan'), cell('1.12'))}<table:table-row table:number-rows-repeated="1048574"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table><table:table table:name="H" table:style-name="h">${row(cell('x'))}</table:table></office:spreadsheet>`,
      '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>',
    )
    expect(parts).toEqual([{ page: 1, text: '## S\n\n| place | pue |\n| --- | --- |\n| Taiwan | 1.12 |' }])
    expect(notes).toEqual([expect.stringContaining('"H"')])
    const slides = await read(
      '<office:presentation><draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Plan</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>one</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>say it</text:p></draw:text-box></draw:frame></presentation:notes></draw:page></office:presentation>',
    )
    expect(slides.parts).toEqual([{ page: 1, text: '## Plan\n\none\n\nNotes: say it' }])
  })

  it('are refused where they are locked, damaged, without text, or made to swell', async () => {
    const locked = entry('META-INF/manifest.xml', '<m><encryption-data/></m>')
    await expect(read('<office:text/>', '', locked)).rejects.toMatchObject({ reason: 'encrypted' })
    await expect(read('')).rejects.toMatchObject({ reason: 'unreadable' })
    await expect(read('<office:text/>')).rejects.toMatchObject({ reason: 'no-text' })
    const sheet = `<office:spreadsheet><table:table><table:table-row table:number-rows-repeated="1048576">${cell('x', 'table:number-columns-repeated="16384"')}</table:table-row></table:table></office:spreadsheet>`
    await expect(read(sheet)).rejects.toMatchObject({ reason: 'too-large' })
    await expect(read('<text:section>'.repeat(400))).rejects.toMatchObject({ reason: 'bomb' })
  })
})
