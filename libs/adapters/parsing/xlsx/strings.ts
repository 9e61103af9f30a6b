import { Unfit } from '@plumbline/ports/document-parser'
import { settleRaised, markRaised } from '../raised'
import { readXml } from '../xml'

const mostCharacters = 100_000_000

/** Characters that XML cannot hold are written by their number. */
export const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** The texts that cells point to by number; how a word is pronounced is left out. */
export const readStrings = (bytes: Uint8Array, file: string): string[] => {
  const found: string[] = []
  let text = ''
  let inText = false
  let isRaised = false
  let phonetic = false
  let left = mostCharacters
  readXml(bytes, file, {
    open: (name, attributes) => {
      if (name === 'si') text = ''
      if (name === 'r') isRaised = false
      if (name === 'vertAlign') isRaised = attributes['val'] === 'superscript'
      if (name === 'rPh') phonetic = true
      inText = name === 't' && !phonetic
    },
    text: (part) => {
      if (inText) text += isRaised ? markRaised(part) : part
    },
    close: (name) => {
      inText = false
      if (name === 'rPh') phonetic = false
      if (name !== 'si') return
      left -= text.length
      if (left < 0) throw new Unfit('too-large', `${file} holds more text than can be read at once. Split it into smaller files.`)
      isRaised = false
      found.push(unescaped(settleRaised(text)))
    },
  })
  return found
}
