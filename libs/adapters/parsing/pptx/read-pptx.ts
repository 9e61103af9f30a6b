import type { ParsedDocument, ParsedPart } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { blocksText, openOffice, whole } from '../ooxml'
import { headingWords } from '../prose'
import type { Reading } from '../reading'
import { child, childrenOf } from '../xml'
import { layoutsOf } from './layout'
import { notesBlocks, slideBlocks } from './slide'

export const readPptx = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const office = openOffice(bytes, name)
  const layoutOf = layoutsOf(office)
  const byId = new Map(office.relations(office.main).map(({ id, target }) => [id, target]))
  const slides = childrenOf(child(office.part(office.main), 'sldIdLst'), 'sldId').flatMap(
    ({ attributes }) => byId.get(attributes['r:id'] ?? '') ?? [],
  )
  const footers = new Set<string>()
  const empty: number[] = []
  const parts = slides.flatMap((path, at): ParsedPart[] => {
    const part = office.part(path)
    const relations = office.relations(path)
    const notes = relations.find(({ type }) => type === 'notesSlide')?.target
    const { title, blocks } = part
      ? slideBlocks(part, { office, relations, layout: layoutOf(path), file: name, footers })
      : { title: '', blocks: [] }
    const text = blocksText([
      ...(title === '' ? [] : [whole(`## ${headingWords(title)}`)]),
      ...blocks,
      ...(notes === undefined ? [] : notesBlocks(office.part(notes))),
    ])
    onPage?.(at + 1, slides.length)
    if (text === '') empty.push(at + 1)
    return text === '' ? [] : [{ page: at + 1, text }]
  })
  if (parts.length === 0)
    throw new Unfit(
      'no-text',
      `${name} has no text on any of its ${slides.length} slides. If they are pictures, export it as PDF and set DOCLING_URL to read them.`,
    )
  const notes = empty.length > 0 ? [`No text on slides ${empty.join(', ')}.`] : undefined
  return {
    ...(office.title !== undefined && { title: office.title }),
    markup: 'markdown',
    parts,
    pages: slides.length,
    ...(notes && { notes }),
  }
}
