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

/** Removes the prefixes of attribute names, except of `r:id`, because an element may also have a plain `id`. */
const localNames = (attributes: Attributes): Attributes => {
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

/** Returns true for an error about control characters. Many programs write them, although XML forbids them. */
const isHarmless = (error: Error): boolean => /disallowed character/.test(error.message)

/** Parses a file in chunks to avoid one huge string. Rejects a document type, because its entities can fill memory. */
export const readXml = (bytes: Uint8Array, file: string, { open, text, close }: XmlEvents): void => {
  const damaged = (cause: unknown) =>
    new Unfit(
      'unreadable',
      `${file} is damaged: a part of the file is not well-formed XML. Open the document in the program that created it, save it again and upload the new file.`,
      { cause },
    )
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  let depth = 0
  parser.on('doctype', () => {
    throw new Unfit(
      'bomb',
      `${file} declares XML entities, which no such document needs, so it was not read. Save the document again in the program that created it.`,
    )
  })
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    if (depth > deepest)
      throw new Unfit(
        'bomb',
        `${file} nests its content more than ${deepest} levels deep, so it was not read. Save the document again in the program that created it.`,
      )
    open(local(name), localNames(attributes))
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

const choose = (parent: XmlNode | undefined, twice: XmlNode | undefined): void => {
  parent?.children.pop()
  for (const one of (child(twice, 'Choice') ?? child(twice, 'Fallback'))?.children ?? []) parent?.children.push(one)
}

/** The `text` of a node excludes that of its children. With `mixed`, a text between children is an unnamed node. */
export const xmlTree = (bytes: Uint8Array, file: string, mixed = false): XmlNode => {
  const root = nodeOf('', {})
  const path = [root]
  let nodes = 0
  readXml(bytes, file, {
    open: (name, attributes) => {
      nodes += 1
      if (nodes > mostNodes)
        throw new Unfit(
          'too-large',
          `${file} contains more than can be read at once. Split the document into smaller files.`,
        )
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
  // Skip the line break after the XML declaration, which becomes a node if `mixed` is true.
  return root.children.find(({ name }) => name !== '') ?? root
}

export const child = (node: XmlNode | undefined, ...path: string[]): XmlNode | undefined =>
  path.reduce<XmlNode | undefined>((at, name) => at?.children.find((one) => one.name === name), node)

export const childrenOf = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((one) => one.name === name) ?? []

export const below = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.flatMap((one) => (one.name === name ? [one] : below(one, name))) ?? []

export const textBelow = (node: XmlNode | undefined): string =>
  below(node, 't')
    .map(({ text }) => text)
    .join('')

export const val = (node: XmlNode | undefined): string | undefined => node?.attributes['val']

export const isOn = (node: XmlNode | undefined): boolean =>
  node !== undefined && !['0', 'false', 'off'].includes(val(node) ?? '1')
