import { altText, blocksText, numeral, paragraphBlock, wholeBlock, type Block } from '../ooxml/blocks'
import { below, child, childrenOf, type XmlNode } from '../ooxml/xml'
import { escapedHeading, markdownLink } from '../write-markdown'
import { mathmlText } from '../mathml'
import { gridOf, tableBlocks } from '../tables/grid-to-markdown'
import { markSuperscript, withSuperscripts } from '../superscript'
import { cellsOf } from './table'

export type Text = {
  file: string
  /** All headings are moved down by this number of levels. */
  titled: number
  isTitle: (paragraph: XmlNode) => boolean
  isHidden: (node: XmlNode) => boolean
  isRaised: (span: XmlNode) => boolean
  object: (href: string) => XmlNode | undefined
  format: (list: string, level: number) => string | undefined
  addNote: (blocks: () => Block[]) => string
  takeNotes: () => Block[]
}

const formats: Record<string, string> = { a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman' }

export const stylesOf = (
  parts: (XmlNode | undefined)[],
  { file, object }: Pick<Text, 'file' | 'object'>,
  body: XmlNode | undefined,
): Text => {
  const named = (name: string): Map<string, XmlNode> =>
    new Map(parts.flatMap((part) => below(part, name).map((node) => [node.attributes['name'] ?? '', node])))
  const [styles, lists] = [named('style'), named('list-style')]
  const open: { mark: string; blocks: () => Block[] }[] = []
  let marks = 0
  const isTitle = ({ attributes }: XmlNode): boolean => {
    const style = attributes['style-name'] ?? ''
    return [style, styles.get(style)?.attributes['parent-style-name']].includes('Title')
  }
  return {
    file,
    object,
    titled: below(body, 'p').some(isTitle) ? 1 : 0,
    isTitle,
    isHidden: ({ attributes }) =>
      styles
        .get(attributes['style-name'] ?? '')
        ?.children.some((one) =>
          [one.attributes['display'], one.attributes['visibility']].some(
            (value) => value === 'false' || value === 'hidden',
          ),
        ) ?? false,
    isRaised: ({ attributes }) =>
      styles
        .get(attributes['style-name'] ?? '')
        ?.children.some((one) => /^(?:super|[1-9]\d*%)/.test(one.attributes['text-position'] ?? '')) ?? false,
    format: (list, level) => {
      const found = lists.get(list)?.children.find(({ attributes }) => Number(attributes['level']) === level + 1)
      const format = found?.attributes['num-format'] ?? ''
      return found?.name !== 'list-level-style-number' || format === '' ? undefined : (formats[format] ?? 'decimal')
    },
    addNote: (blocks) => {
      open.push({ mark: `[^${(marks += 1)}]`, blocks })
      return `[^${marks}]`
    },
    takeNotes: () =>
      open
        .splice(0)
        .map(({ mark, blocks }) => wholeBlock(`${mark}: ${blocksText(blocks()).replace(/\s+/g, ' ').trim()}`)),
  }
}

export const deepText = (node: XmlNode | undefined): string =>
  node === undefined ? '' : node.name === '' ? node.text : node.children.map(deepText).join('')

const mostSpaces = 1_000

type Inline = { text: string; anchored: Block[] }

const comment = (node: XmlNode, text: Text): Block[] => {
  const by = deepText(child(node, 'creator')).trim()
  return [
    wholeBlock(by === '' ? 'Comment:' : `Comment by ${by}:`),
    ...readBlocks(
      node.children.filter(({ name }) => name === 'p' || name === 'list'),
      text,
    ),
  ]
}

const formulaOf = (frame: XmlNode, text: Text): string => {
  const href = child(frame, 'object')?.attributes['href']
  const object = href === undefined ? undefined : text.object(href)
  return object?.name === 'math' ? mathmlText(object) : ''
}

const inlineOf = (paragraph: XmlNode, text: Text): Inline => {
  const anchored: Block[] = []
  const all = (node: XmlNode): string => node.children.map(textOf).join('')
  const textOf = (node: XmlNode): string => {
    switch (node.name) {
      case '':
        return node.text.replace(/\s+/g, ' ')
      case 's':
        return ' '.repeat(Math.min(mostSpaces, Number(node.attributes['c'] ?? 1) || 1))
      case 'tab':
        return '\t'
      case 'line-break':
        return '\n'
      case 'note':
        return text.addNote(() => readBlocks(child(node, 'note-body')?.children ?? [], text))
      case 'annotation':
        return text.addNote(() => comment(node, text))
      case 'a':
        return markdownLink(all(node), node.attributes['href'])
      case 'span':
        return text.isRaised(node) ? markSuperscript(all(node)) : all(node)
      case 'frame':
      case 'custom-shape':
      case 'rect':
      case 'g': {
        const formula = formulaOf(node, text)
        if (formula !== '') return formula
        anchored.push(...readBlocks([node], text))
        return ''
      }
      case 'ruby':
        return deepText(child(node, 'ruby-base'))
      default:
        return all(node)
    }
  }
  return { text: withSuperscripts(textOf({ ...paragraph, name: 'p' })), anchored }
}

const listBlocks = (list: XmlNode, text: Text, level: number, outer: string): Block[] => {
  const style = list.attributes['style-name'] ?? outer
  const format = text.format(style, level)
  let number = 0
  return list.children.flatMap((item): Block[] => {
    if (item.name !== 'list-item' && item.name !== 'list-header') return []
    number = Number(item.attributes['start-value'] ?? number + 1) || 1
    const label = format === undefined || item.name === 'list-header' ? {} : { label: `${numeral(number, format)}.` }
    // White space between elements is not content.
    const nodes = item.children.filter(({ name }) => name !== '')
    return nodes.flatMap((node, at): Block[] => {
      if (node.name === 'list') return listBlocks(node, text, level + 1, style)
      const read = readBlocks([node], text)
      const [first, ...rest] = read
      return at > 0 || !first || node.name !== 'p'
        ? read
        : [{ kind: 'item', level, ...label, text: first.text }, ...rest]
    })
  })
}

const headingBlocks = (node: XmlNode, text: Text, level: number): Block[] => {
  const inline = inlineOf(node, text)
  const words = inline.text.replace(/\s+/g, ' ').trim()
  return words === ''
    ? inline.anchored
    : [wholeBlock(`${'#'.repeat(Math.max(1, Math.min(6, level)))} ${escapedHeading(words)}`), ...inline.anchored]
}

/** Elements that are skipped, such as deleted text, forms and the table of contents. */
const silent = new Set([
  'tracked-changes',
  'forms',
  'sequence-decls',
  'variable-decls',
  'user-field-decls',
  'notes',
  'title',
  'desc',
  'table-of-content',
])

const pictured = (frame: XmlNode): Block[] =>
  childrenOf(frame, 'image').length === 0
    ? []
    : altText({ ...frame, attributes: { descr: deepText(child(frame, 'desc') ?? child(frame, 'title')) } })

export const cellText = (cell: XmlNode, text: Text): string =>
  blocksText(readBlocks(cell.children, text)).replace(/\s+/g, ' ').trim()

const tableText = (table: XmlNode, text: Text): string => {
  const { cells, marked } = cellsOf(table, text.file, (cell) => cellText(cell, text))
  return tableBlocks(gridOf(cells, text.file), marked === 0 ? undefined : marked)
}

export const readBlocks = (nodes: readonly XmlNode[], text: Text): Block[] =>
  nodes.flatMap((node): Block[] => {
    if (silent.has(node.name)) return []
    switch (node.name) {
      case 'h':
        return headingBlocks(node, text, Number(node.attributes['outline-level'] ?? 1) + text.titled)
      case 'p': {
        if (text.isTitle(node)) return headingBlocks(node, text, 1)
        const inline = inlineOf(node, text)
        return [...(inline.text.trim() === '' ? [] : [paragraphBlock(inline.text)]), ...inline.anchored]
      }
      case 'list':
        return listBlocks(node, text, 0, '')
      case 'table':
        return [wholeBlock(tableText(node, text))]
      case 'frame':
        return [...readBlocks(node.children, text), ...pictured(node)]
      default:
        return readBlocks(node.children, text)
    }
  })
