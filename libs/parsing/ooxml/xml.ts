import { Unfit } from '@plumbline/ports/document-parser'
import { SaxesParser } from 'saxes'

export type Attributes = Record<string, string>
type XmlEvents = {
  open: (name: string, attributes: Attributes) => void
  text: (text: string) => void
  close: (name: string) => void
}

const deepest = 256
const sliceBytes = 65_536

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Removes the prefix of names, except of an id that points to another part, as `r:id`, because a plain id may exist
 * beside it.
 */
const named = (attributes: Attributes): Attributes => {
  const found: Attributes = {}
  for (const [name, value] of Object.entries(attributes)) {
    const short = local(name)
    if (short === 'id' && short !== name) found['r:id'] = value
    if (short === name || !(short in found)) found[short] = value
  }
  return found
}

const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'

/** Control characters are kept out by the standard, and written by programs all the same. */
const isHarmless = (error: Error): boolean => /disallowed character/.test(error.message)

/**
 * Reads XML in slices, so that a large part is never in memory as one text. Custom entities are refused, never
 * expanded.
 */
export const readXml = (bytes: Uint8Array, file: string, { open, text, close }: XmlEvents): void => {
  const damaged = (cause: unknown) =>
    new Unfit(
      'unreadable',
      `${file} is damaged: a part of it is not well-formed. Open it in the program that made it, save it again and send that.`,
      { cause },
    )
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  let depth = 0
  parser.on('doctype', () => {
    throw new Unfit(
      'bomb',
      `${file} declares entities of its own, which no such document needs. It was not read. Save it again in the program that made it.`,
    )
  })
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    if (depth > deepest)
      throw new Unfit(
        'bomb',
        `${file} nests its content more than ${deepest} levels deep. It was not read. Save it again in the program that made it.`,
      )
    open(local(name), named(attributes))
  })
  parser.on('closetag', ({ name }) => {
    depth -= 1
    close(local(name))
  })
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('error', (cause) => {
    if (!isHarmless(cause)) throw damaged(cause)
  })
  const decoder = new TextDecoder(encodingOf(bytes))
  for (let at = 0; at < bytes.length; at += sliceBytes)
    parser.write(decoder.decode(bytes.subarray(at, at + sliceBytes), { stream: true }))
  parser.close()
}

export type XmlNode = { name: string; attributes: Attributes; children: XmlNode[]; text: string }

const mostNodes = 4_000_000

const nodeOf = (name: string, attributes: Attributes): XmlNode => ({ name, attributes, children: [], text: '' })

/** Content stored twice, for new and old programs, is read once, in the form for new ones. */
const choose = (parent: XmlNode | undefined, twice: XmlNode | undefined): void => {
  parent?.children.pop()
  for (const one of (child(twice, 'Choice') ?? child(twice, 'Fallback'))?.children ?? []) parent?.children.push(one)
}

/**
 * Returns a part as a tree, for formats with small parts. `text` is the node's own text. With `mixed`, text among
 * other nodes becomes nodes without a name, in order.
 */
export const xmlTree = (bytes: Uint8Array, file: string, mixed = false): XmlNode => {
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
      if (mixed) node?.children.push({ ...nodeOf('', {}), text })
      else if (node) node.text += text
    },
    close: (name) => {
      const node = path.pop()
      if (name === 'AlternateContent') choose(path.at(-1), node)
    },
  })
  // A line break between the XML declaration and the first element is a text node when `mixed` is set.
  return root.children.find(({ name }) => name !== '') ?? root
}

export const child = (node: XmlNode | undefined, ...path: string[]): XmlNode | undefined =>
  path.reduce<XmlNode | undefined>((at, name) => at?.children.find((one) => one.name === name), node)

export const childrenOf = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((one) => one.name === name) ?? []

/** Returns all nodes of a name below a node, in order, without searching inside a match. */
export const below = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.flatMap((one) => (one.name === name ? [one] : below(one, name))) ?? []

/** All text runs below a node. */
export const textBelow = (node: XmlNode | undefined): string =>
  below(node, 't')
    .map(({ text }) => text)
    .join('')

export const val = (node: XmlNode | undefined): string | undefined => node?.attributes['val']

/** A switch of Office: there and not off. */
export const isOn = (node: XmlNode | undefined): boolean =>
  node !== undefined && !['0', 'false', 'off'].includes(val(node) ?? '1')
