import type { ParsedDocument, ParsedPart } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from '../limits'
import { chartBlocks } from '../ooxml/chart'
import { commentLines } from '../ooxml/comments'
import { builtInFormat } from '../ooxml/number-format'
import { sheetText } from '../ooxml/regions'
import { below, child, childrenOf, textBelow } from '../ooxml/xml'
import { openOffice, type OfficePackage } from '../ooxml/zip-parts'
import { blocks, escapedHeading, paragraph } from '../write-markdown'
import { missingPart, readSheet, readStrings, type Book } from './sheet'

const drawingBlocks = (office: OfficePackage, path: string): string => {
  const drawing = office.part(path)
  const texts = below(drawing, 'txBody').map((body) =>
    below(body, 'p')
      .map((line) => textBelow(line))
      .join('\n'),
  )
  const charts = office.relations(path).flatMap(({ type, target }) => {
    const chart = type === 'chart' ? office.part(target) : undefined
    return chart ? [chartBlocks(chart)] : []
  })
  return blocks(texts.map(paragraph), charts)
}

const drawingsOf = (office: OfficePackage, sheet: string): string =>
  blocks(
    office.relations(sheet).flatMap(({ type, target }) => (type === 'drawing' ? [drawingBlocks(office, target)] : [])),
  )

type SheetEntry = { name: string; path: string; hidden: boolean }

const formatsOf = (office: OfficePackage, path: string | undefined, file: string): string[] => {
  const styles = path === undefined ? undefined : office.part(path)
  if (path !== undefined && !styles) throw missingPart(file, 'the part with its number formats is')
  const own = new Map(
    childrenOf(child(styles, 'numFmts'), 'numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode'] ?? '',
    ]),
  )
  return childrenOf(child(styles, 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = Number(attributes['numFmtId'] ?? 0)
    return own.get(id) ?? builtInFormat(id)
  })
}

const bookOf = (office: OfficePackage, file: string): { book: Book; sheets: SheetEntry[] } => {
  const workbook = office.part(office.main)
  const relations = office.relations(office.main)
  const target = (wanted: string) => relations.find(({ type }) => type === wanted)?.target
  const strings = office.bytes(target('sharedStrings') ?? '')
  const sheets = childrenOf(child(workbook, 'sheets'), 'sheet').flatMap(({ attributes }): SheetEntry[] => {
    const relation = relations.find(({ id }) => id === attributes['r:id'])
    const hidden = attributes['state'] === 'hidden' || attributes['state'] === 'veryHidden'
    return relation ? [{ name: attributes['name'] ?? '', path: relation.target, hidden }] : []
  })
  const from1904 = ['1', 'true'].includes(child(workbook, 'workbookPr')?.attributes['date1904'] ?? '')
  return {
    book: {
      file,
      strings: strings ? readStrings(strings, file) : [],
      formats: formatsOf(office, target('styles'), file),
      from1904,
    },
    sheets,
  }
}

export const readXlsx = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const office = openOffice(bytes, name)
  const { book, sheets } = bookOf(office, name)
  const parts: ParsedPart[] = []
  const notes: string[] = []
  sheets.forEach((listed, at) => {
    if (listed.hidden) notes.push(`Sheet "${listed.name}" is hidden and was not read.`)
    else {
      const xml = office.bytes(listed.path)
      if (!xml)
        notes.push(
          `Sheet "${listed.name}" is missing from the file. Open the workbook in a spreadsheet program, save it and upload it again.`,
        )
      const { cells, unsaved } = xml ? readSheet(xml, book) : { cells: [], unsaved: 0 }
      const text = blocks(
        sheetText(cells, name),
        drawingsOf(office, listed.path),
        commentLines(office, office.relations(listed.path)),
      )
      if (text !== '') parts.push({ page: at + 1, text: blocks(`## ${escapedHeading(listed.name)}`, text) })
      if (unsaved > 0)
        notes.push(
          `Sheet "${listed.name}" has ${unsaved} formulas without a saved value. Open the file in a spreadsheet program, save it and upload it again.`,
        )
    }
    onPage?.(at + 1, sheets.length)
  })
  if (parts.length === 0)
    throw new Unfit(
      'no-text',
      `${name} has no visible sheet with content. Upload a workbook with content in a visible sheet.`,
    )
  return {
    ...(office.title !== undefined && { title: office.title }),
    markup: 'markdown',
    parts,
    pages: sheets.length,
    ...(notes.length > 0 && { notes }),
  }
}
