import { numeral, type Block } from '../ooxml/blocks'
import { child, childrenOf, isOn, val, type XmlNode } from '../ooxml/xml'
import type { OfficePackage } from '../ooxml/zip-parts'

type Numbered = { list?: string; level?: number }
/** A `heading` of level 0 is the document's title. */
type Style = Numbered & { name: string; heading?: number }

const deepestHeading = 6

export const numberedIn = (properties: XmlNode | undefined): Numbered => {
  const numbering = child(properties, 'numPr')
  const [list, level] = [val(child(numbering, 'numId')), val(child(numbering, 'ilvl'))]
  return { ...(list !== undefined && { list }), ...(level !== undefined && { level: Number(level) }) }
}

/** Returns the heading level of a paragraph. Word's outline level 9 is body text. */
export const outlineIn = (properties: XmlNode | undefined): number | undefined => {
  const level = val(child(properties, 'outlineLvl'))
  return level === undefined || Number(level) > 8 ? undefined : Math.min(deepestHeading, Number(level) + 1)
}

const headingLevelOf = (name: string): number | undefined => {
  const level = /^heading ?(\d)/.exec(name)?.[1]
  return level === undefined ? (name === 'title' ? 0 : undefined) : Math.min(deepestHeading, Math.max(1, Number(level)))
}

/** Returns a style. Built-in heading styles are detected by name, because Word always stores their names in English. */
const styleOf = (node: XmlNode, byId: ReadonlyMap<string, XmlNode>, depth = 0): Style => {
  const base = byId.get(val(child(node, 'basedOn')) ?? '')
  const inherited = base && depth < 20 ? styleOf(base, byId, depth + 1) : undefined
  const properties = child(node, 'pPr')
  const name = (val(child(node, 'name')) ?? '').toLowerCase()
  const heading = headingLevelOf(name) ?? outlineIn(properties) ?? inherited?.heading
  return { ...inherited, ...numberedIn(properties), name, ...(heading !== undefined && { heading }) }
}

export const stylesOf = (part: XmlNode | undefined): { of: (id: string | undefined) => Style | undefined } => {
  const nodes = childrenOf(part, 'style').filter(({ attributes }) => attributes['type'] === 'paragraph')
  const byId = new Map(nodes.map((node) => [node.attributes['styleId'] ?? '', node]))
  const known = new Map(nodes.map((node) => [node.attributes['styleId'] ?? '', styleOf(node, byId)]))
  const standard = nodes.find(({ attributes }) => attributes['default'] === '1')?.attributes['styleId']
  return { of: (id) => known.get(id ?? standard ?? '') }
}

type Level = { format: string; text: string; start: number; legal: boolean; endless: boolean }
type List = { counts: (number | undefined)[]; levels: Map<number, Level> }

const levelOf = (node: XmlNode | undefined): Level => ({
  format: val(child(node, 'numFmt')) ?? 'decimal',
  text: val(child(node, 'lvlText')) ?? '',
  start: Number(val(child(node, 'start')) ?? 1),
  legal: isOn(child(node, 'isLgl')),
  endless: val(child(node, 'lvlRestart')) === '0',
})

const byId = (nodes: XmlNode[], name: string): Map<string, XmlNode> =>
  new Map(nodes.map((node) => [node.attributes[name] ?? '', node]))

/** `next` counts a list item and returns its label. A bullet has no label. Undefined if the list has no such level. */
type Numbering = { next: (list: string, level: number) => { label?: string } | undefined }

export const numberingOf = (part: XmlNode | undefined): Numbering => {
  const abstracts = byId(childrenOf(part, 'abstractNum'), 'abstractNumId')
  const instances = byId(childrenOf(part, 'num'), 'numId')
  const counted = new Map<string, List>()
  const restarted = new Set<string>()

  const abstractOf = (instance: XmlNode): { id: string; node: XmlNode | undefined } => {
    const id = val(child(instance, 'abstractNumId')) ?? ''
    const link = val(child(abstracts.get(id), 'numStyleLink'))
    const linked =
      link === undefined ? undefined : [...abstracts].find(([, node]) => val(child(node, 'styleLink')) === link)
    return linked ? { id: linked[0], node: linked[1] } : { id, node: abstracts.get(id) }
  }

  /** Lists with the same abstract list share its numbering, except for the levels that a list overrides. */
  const listOf = (id: string): List | undefined => {
    const instance = instances.get(id)
    if (!instance) return undefined
    const abstract = abstractOf(instance)
    const list = counted.get(abstract.id) ?? { counts: [], levels: new Map() }
    const base = childrenOf(abstract.node, 'lvl').map((node): [number, Level] => [
      Number(node.attributes['ilvl']),
      levelOf(node),
    ])
    list.levels = new Map(base)
    counted.set(abstract.id, list)
    for (const override of childrenOf(instance, 'lvlOverride')) {
      const at = Number(override.attributes['ilvl'])
      const own = child(override, 'lvl')
      const level = own ? levelOf(own) : list.levels.get(at)
      const start = val(child(override, 'startOverride'))
      if (level) list.levels.set(at, { ...level, ...(start !== undefined && { start: Number(start) }) })
      if (start !== undefined && !restarted.has(`${id} ${at}`)) {
        restarted.add(`${id} ${at}`)
        list.counts.length = Math.min(list.counts.length, at)
      }
    }
    return list
  }

  const next = (id: string, at: number): { label?: string } | undefined => {
    const list = listOf(id)
    const level = list?.levels.get(at)
    if (!list || !level) return undefined
    list.counts = list.counts.map((count, deep) => (deep > at && !list.levels.get(deep)?.endless ? undefined : count))
    list.counts[at] = (list.counts[at] ?? level.start - 1) + 1
    if (level.format === 'bullet') return {}
    const label = level.text.replace(/%(\d)/g, (_, digit: string) => {
      const other = list.levels.get(Number(digit) - 1)
      const count = list.counts[Number(digit) - 1] ?? other?.start ?? 1
      const format = other?.format ?? 'decimal'
      return format === 'none' ? '' : numeral(count, level.legal ? 'decimal' : format)
    })
    return label.trim() === '' ? undefined : { label: label.trim() }
  }
  return { next }
}

export type Part = { node: XmlNode; links: Map<string, string> }

export type Word = {
  file: string
  office: OfficePackage
  styles: { of: (id: string | undefined) => Style | undefined }
  numbering: Numbering
  /** The links of the document part that is being read, such as the body or a footnote. */
  links: Map<string, string>
  notes: Map<string, Part>
  /** The notes to which the text since the last heading refers. */
  open: { mark: string; note: Part }[]
  marks: number
  /** All headings are moved down by this number of levels. */
  titled: number
}

export type Inline = { text: string; anchored: Block[] }
