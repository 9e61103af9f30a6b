import type { XmlNode } from '../xml'
import { child, childrenOf, val } from '../xml'

export type Numbered = { list?: string; level?: number }
/** A heading of level 0 is the document's title. */
export type Style = Numbered & { name: string; heading?: number }

const deepestHeading = 6

export const numberedIn = (properties: XmlNode | undefined): Numbered => {
  const numbering = child(properties, 'numPr')
  const [list, level] = [val(child(numbering, 'numId')), val(child(numbering, 'ilvl'))]
  return { ...(list !== undefined && { list }), ...(level !== undefined && { level: Number(level) }) }
}

/** An outline level of 9 is body text. */
export const outlineIn = (properties: XmlNode | undefined): number | undefined => {
  const level = val(child(properties, 'outlineLvl'))
  return level === undefined || Number(level) > 8 ? undefined : Math.min(deepestHeading, Number(level) + 1)
}

const named = (name: string): number | undefined => {
  const level = /^heading ?(\d)/.exec(name)?.[1]
  return level === undefined ? (name === 'title' ? 0 : undefined) : Math.min(deepestHeading, Math.max(1, Number(level)))
}

/** What a style says itself stands before what the one it is based on says. Names are English in every language's Word. */
const styleOf = (node: XmlNode, byId: ReadonlyMap<string, XmlNode>, depth = 0): Style => {
  const base = byId.get(val(child(node, 'basedOn')) ?? '')
  const inherited = base && depth < 20 ? styleOf(base, byId, depth + 1) : undefined
  const properties = child(node, 'pPr')
  const name = (val(child(node, 'name')) ?? '').toLowerCase()
  const heading = named(name) ?? outlineIn(properties) ?? inherited?.heading
  return { ...inherited, ...numberedIn(properties), name, ...(heading !== undefined && { heading }) }
}

export const stylesOf = (part: XmlNode | undefined): { of: (id: string | undefined) => Style | undefined } => {
  const nodes = childrenOf(part, 'style').filter(({ attributes }) => attributes['type'] === 'paragraph')
  const byId = new Map(nodes.map((node) => [node.attributes['styleId'] ?? '', node]))
  const known = new Map(nodes.map((node) => [node.attributes['styleId'] ?? '', styleOf(node, byId)]))
  const standard = nodes.find(({ attributes }) => attributes['default'] === '1')?.attributes['styleId']
  return { of: (id) => known.get(id ?? standard ?? '') }
}
