import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { OfficePackage } from '../ooxml'
import { blocksText, openOffice, prose } from '../ooxml'
import type { Reading } from '../reading'
import { below, child } from '../xml'
import { bodyBlocks, marginLines, titleIn } from './body'
import { numberingOf } from './numbering'
import { stylesOf } from './styles'
import type { Part, Word } from './word'

const linksOf = (office: OfficePackage, path: string): Map<string, string> =>
  new Map(office.relations(path).map(({ id, target }) => [id, target]))

const wordOf = (office: OfficePackage, file: string): { word: Word; margins: Part[] } => {
  const relations = office.relations(office.main)
  const parts = (wanted: string): Part[] =>
    relations.flatMap(({ type, target }) => {
      const node = type === wanted ? office.part(target) : undefined
      return node ? [{ node, links: linksOf(office, target) }] : []
    })
  const notes = ['footnote', 'endnote'].flatMap((kind) =>
    parts(`${kind}s`).flatMap(({ node: { children }, links }) =>
      children
        .filter(({ attributes }) => attributes['type'] === undefined || attributes['type'] === 'normal')
        .map((node): [string, Part] => [`${kind} ${node.attributes['id'] ?? ''}`, { node, links }]),
    ),
  )
  const word = {
    file,
    office,
    styles: stylesOf(parts('styles')[0]?.node),
    numbering: numberingOf(parts('numbering')[0]?.node),
    links: linksOf(office, office.main),
    notes: new Map(notes),
    open: [],
    marks: 0,
    titled: 0,
  }
  return { word, margins: [...parts('header'), ...parts('footer')] }
}

/** Programs that make documents of web pages leave the pages as they are, for Word to convert. */
const saveAgain = 'Open it in Word, save it and send it again.'

export const readDocx = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const office = openOffice(bytes, name)
  const { word, margins } = wordOf(office, name)
  const body = child(office.part(office.main), 'body')
  const inText = titleIn(body, word)
  word.titled = inText === undefined ? 0 : 1
  const text = blocksText([...marginLines(margins, word).map(prose), ...bodyBlocks(body, word)])
  const foreign = below(body, 'altChunk').length > 0
  if (text === '')
    throw new Unfit(
      'no-text',
      foreign
        ? `${name} has all its text in another format inside it. ${saveAgain}`
        : `${name} has no text. If its pages are pictures, export it as PDF and set DOCLING_URL to read them.`,
    )
  onPage?.(1, 1)
  const title = office.title ?? inText
  return {
    ...(title !== undefined && { title }),
    markup: 'markdown',
    parts: [{ text }],
    ...(foreign && { notes: [`A part in another format inside the file was not read. ${saveAgain}`] }),
  }
}
