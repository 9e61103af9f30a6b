import { altText, diagramBlocks, wholeBlock, type Block } from '../ooxml/blocks'
import { chartBlocks } from '../ooxml/chart'
import { formula, inFont } from '../ooxml/formulas-and-symbols'
import { below, child, isOn, val, type XmlNode } from '../ooxml/xml'
import { markSuperscript, withSuperscripts } from '../superscript'
import { markdownLink } from '../write-markdown'
import type { Inline, Word } from './styles-and-numbering'

type ReadBlocks = (nodes: readonly XmlNode[], word: Word) => Block[]

const box = (checked: boolean): string => (checked ? '[x]' : '[ ]')
const boxes = (text: string): string => text.replace(/[☐□]/g, box(false)).replace(/[☑☒🗹🗷]/gu, box(true))

const symbolText = ({ attributes }: XmlNode): string => {
  const code = Number.parseInt(attributes['char'] ?? '', 16)
  return code > 0x20 && code <= 0xffff
    ? boxes(inFont(String.fromCharCode(code), attributes['font'])).replace(/[\ue000-\uf8ff]/g, '')
    : ''
}

/** Tracks the instruction of a field, which Word does not show. Returns the text of a check box. */
const fieldText = (node: XmlNode, depth: { instruction: number[] }): string => {
  const type = node.attributes['fldCharType']
  if (type === 'begin') depth.instruction.push(1)
  if (type === 'separate') depth.instruction[depth.instruction.length - 1] = 0
  if (type === 'end') depth.instruction.pop()
  const form = type === 'begin' ? child(node, 'ffData', 'checkBox') : undefined
  return form ? box(isOn(child(form, 'checked') ?? child(form, 'default'))) : ''
}

/** Returns the content of a form field. A field that still shows its placeholder is empty. */
export const filledIn = (field: XmlNode): readonly XmlNode[] =>
  isOn(child(field, 'sdtPr', 'showingPlcHdr')) ? [] : (child(field, 'sdtContent')?.children ?? [])

const anchoredIn = (node: XmlNode, word: Word, readBlocks: ReadBlocks): Block[] => {
  const boxed = below(node, 'txbxContent').flatMap(({ children }) => readBlocks(children, word))
  const drawn = below(node, 'chart').flatMap(({ attributes }): Block[] => {
    const target = word.links.get(attributes['r:id'] ?? '')
    const chart = target === undefined ? undefined : word.office.part(target)
    return chart ? [wholeBlock(chartBlocks(chart))] : []
  })
  const diagrams = below(node, 'relIds').flatMap(({ attributes }) =>
    diagramBlocks(word.office.part(word.links.get(attributes['dm'] ?? '') ?? '')),
  )
  return [...boxed, ...drawn, ...diagrams, ...below(node, 'docPr').slice(0, 1).flatMap(altText)]
}

const noteMark = (kind: string, node: XmlNode, word: Word): string => {
  const note = word.notes.get(`${kind} ${node.attributes['id'] ?? ''}`)
  if (!note) return ''
  word.marks += 1
  word.open.push({ mark: `[^${word.marks}]`, note })
  return `[^${word.marks}]`
}

const lineBreak = ({ attributes: { type } }: XmlNode): string =>
  type === undefined || type === 'textWrapping' ? '\n' : ' '

const signs = new Map<string, (node: XmlNode) => string>([
  ['tab', () => '\t'],
  ['ptab', () => '\t'],
  ['br', lineBreak],
  ['cr', lineBreak],
  ['noBreakHyphen', () => '-'],
  ['sym', symbolText],
  ['oMath', formula],
  ['oMathPara', formula],
])

const wrappers = new Set(['ins', 'moveTo', 'smartTag', 'fldSimple', 'dir', 'bdo', 'customXml', 'p'])

export const inlineOf = (paragraph: XmlNode, word: Word, readBlocks: ReadBlocks): Inline => {
  const anchored: Block[] = []
  const fields = { instruction: [] as number[] }
  let font: string | undefined
  const runText = (run: XmlNode): string => {
    const format = child(run, 'rPr')
    font = child(format, 'rFonts')?.attributes['ascii']
    const text = isOn(child(format, 'vanish')) ? '' : all(run.children)
    return val(child(format, 'vertAlign')) === 'superscript' ? markSuperscript(text) : text
  }
  const all = (nodes: readonly XmlNode[]): string => nodes.map(textOf).join('')
  const textOf = (node: XmlNode): string => {
    const sign = signs.get(node.name)
    if (sign) return sign(node)
    if (wrappers.has(node.name)) return all(node.children)
    switch (node.name) {
      case 't':
        return fields.instruction.includes(1) ? '' : boxes(inFont(node.text, font))
      case 'fldChar':
        return fieldText(node, fields)
      case 'footnoteReference':
      case 'endnoteReference':
      case 'commentReference':
        return noteMark(node.name.slice(0, -'Reference'.length), node, word)
      case 'r':
        return runText(node)
      case 'hyperlink':
        return markdownLink(all(node.children), word.links.get(node.attributes['r:id'] ?? ''))
      case 'sdt': {
        const form = child(node, 'sdtPr', 'checkbox')
        return form ? box(isOn(child(form, 'checked'))) : all(filledIn(node))
      }
      case 'drawing':
      case 'pict':
      case 'object':
        anchored.push(...anchoredIn(node, word, readBlocks))
        return ''
      case 'ruby':
        return all(child(node, 'rubyBase')?.children ?? [])
      default:
        return ''
    }
  }
  return { text: withSuperscripts(textOf(paragraph)), anchored }
}
