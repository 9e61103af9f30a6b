import { Unfit } from '@plumbline/ports/document-parser'
import type { Attributes } from './events'
import { readXml } from './events'

export type XmlNode = { name: string; attributes: Attributes; children: XmlNode[]; text: string }

const mostNodes = 4_000_000

const nodeOf = (name: string, attributes: Attributes): XmlNode => ({ name, attributes, children: [], text: '' })

/** What is written twice, for new programs and for old ones, is read once: as for new ones. */
const choose = (parent: XmlNode | undefined, twice: XmlNode | undefined): void => {
  parent?.children.pop()
  for (const one of (child(twice, 'Choice') ?? child(twice, 'Fallback'))?.children ?? []) parent?.children.push(one)
}

/** A part as a tree, for the formats whose parts are small; `text` is what stands in the node itself. */
export const xmlTree = (bytes: Uint8Array, file: string): XmlNode => {
  const root = nodeOf('', {})
  const path = [root]
  let nodes = 0
  readXml(bytes, file, {
    open: (name, attributes) => {
      nodes += 1
      if (nodes > mostNodes)
        throw new Unfit('too-large', `${file} holds more than can be read at once. Split it into smaller files.`)
      const node = nodeOf(name, attributes)
      path.at(-1)?.children.push(node)
      path.push(node)
    },
    text: (text) => {
      const node = path.at(-1)
      if (node) node.text += text
    },
    close: (name) => {
      const node = path.pop()
      if (name === 'AlternateContent') choose(path.at(-1), node)
    },
  })
  return root.children[0] ?? root
}

export const child = (node: XmlNode | undefined, ...path: string[]): XmlNode | undefined =>
  path.reduce<XmlNode | undefined>((at, name) => at?.children.find((one) => one.name === name), node)

export const childrenOf = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((one) => one.name === name) ?? []

/** All of a name below a node, in order; what is below a found one is not looked at. */
export const below = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.flatMap((one) => (one.name === name ? [one] : below(one, name))) ?? []

export const val = (node: XmlNode | undefined): string | undefined => node?.attributes['val']

/** A switch of Office: there and not off. */
export const isOn = (node: XmlNode | undefined): boolean =>
  node !== undefined && !['0', 'false', 'off'].includes(val(node) ?? '1')
