import type { Block } from '../ooxml'
import { blocksText, formula, prose, whole } from '../ooxml'
import { headingWords, proseLine } from '../prose'
import type { XmlNode } from '../xml'
import { below, child, isOn, val } from '../xml'
import { filledIn, inlineOf } from './inline'
import { numberedIn, outlineIn } from './styles'
import { tableOf } from './table'
import type { Part, Word } from './word'

const ticked = /^\[[ x]\]\s/

/** Neither seen nor counted, as a paragraph that was deleted. */
const isGone = (properties: XmlNode | undefined): boolean => {
  const mark = child(properties, 'rPr')
  return isOn(child(mark, 'vanish')) || child(mark, 'del') !== undefined
}

const paragraphBlocks = (node: XmlNode, word: Word): Block[] => {
  const properties = child(node, 'pPr')
  const style = word.styles.of(val(child(properties, 'pStyle')))
  const { text, anchored } = inlineOf(node, word, readBlocks)
  const empty = text.trim() === ''
  if (empty && isGone(properties)) return anchored
  const { list, level = 0 } = { ...style, ...numberedIn(properties) }
  // Word draws a number before an item without text, too.
  const item = list === undefined || list === '0' ? undefined : word.numbering.next(list, level)
  if (empty) return anchored
  const heading = outlineIn(properties) ?? style?.heading
  if (heading !== undefined)
    return [
      whole(
        `${'#'.repeat(Math.min(6, heading + word.titled))} ${headingWords([item?.label ?? '', text].join(' ').replace(/\s+/g, ' ').trim())}`,
      ),
      ...anchored,
    ]
  if (item) return [{ kind: 'item', level, text, ...item }, ...anchored]
  return [ticked.test(text.trim()) ? { kind: 'item', level: 0, text: text.trim() } : prose(text), ...anchored]
}

/** The document's title as it stands in its text. */
export const titleIn = (body: XmlNode | undefined, word: Word): string | undefined => {
  const title = below(body, 'p').find((node) => word.styles.of(val(child(node, 'pPr', 'pStyle')))?.heading === 0)
  const text =
    title &&
    below(title, 't')
      .map((one) => one.text)
      .join('')
      .trim()
  return text === '' ? undefined : text
}

const isHeading = (block: Block): boolean => block.kind === 'whole' && /^#{1,6} /.test(block.text)

/** The text of a part beside the body, or of a piece of one, with the part's own links. */
const partText = ({ node, links }: Part, word: Word): string => {
  const outer = word.links
  word.links = links
  const text = blocksText(readBlocks(node.children, word))
  word.links = outer
  return text
}

/** The notes that a section refers to, at its end, so that they are found with it. */
const notesOf = (word: Word): Block[] =>
  word.open.splice(0).map(({ mark, note }) => whole(`${mark}: ${partText(note, word).replace(/\s+/g, ' ').trim()}`))

const blocksOf = (node: XmlNode, word: Word): Block[] => {
  switch (node.name) {
    case 'p':
      return paragraphBlocks(node, word)
    case 'tbl':
      return tableOf(node, word, readBlocks)
    case 'sdt':
      return readBlocks(filledIn(node), word)
    case 'oMathPara':
    case 'oMath':
      return [prose(formula(node))]
    case 'ins':
    case 'moveTo':
    case 'customXml':
    case 'smartTag':
      return readBlocks(node.children, word)
    default:
      return []
  }
}

const readBlocks = (nodes: readonly XmlNode[], word: Word): Block[] => nodes.flatMap((node) => blocksOf(node, word))

/** The body of a document, its notes with the sections that refer to them. */
export const bodyBlocks = (body: XmlNode | undefined, word: Word): Block[] => {
  const found = (body?.children ?? []).flatMap((node): Block[] => {
    const noted = word.open.length
    const blocks = blocksOf(node, word)
    const first = blocks[0]
    if (!first || !isHeading(first) || noted === 0) return blocks
    const here = word.open.splice(noted)
    const notes = notesOf(word)
    word.open.push(...here)
    return [...notes, ...blocks]
  })
  return [...found, ...notesOf(word)]
}

/** Headers and footers in one line each, once each; a page's number alone says nothing. */
export const marginLines = (parts: readonly Part[], word: Word): string[] => {
  const lines = parts.map((part) => proseLine(partText(part, word).replace(/^Image: .*$/gm, '')))
  return [...new Set(lines)].filter((line) =>
    /\p{L}/u.test(line.replace(/\b(?:page|seite|pagina|página|of|von|de|di)\b/giu, '')),
  )
}
