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

/** Names lose their prefix; only the id that points to another part keeps one, as `r:id`, because a plain id may stand beside it. */
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

/** Reads XML in slices, so that a large part never stands in memory as one text. Entities of its own are refused, never expanded. */
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
