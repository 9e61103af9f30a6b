import { Unfit } from '@plumbline/ports/document-parser'
import { settleRaised, markRaised } from '../raised'
import { readXml } from '../xml'

const mostCharacters = 100_000_000

/** Characters that XML cannot hold are written by their number. */
export const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Gathers a text that may stand in runs, of which some are raised; how a word is pronounced is left out. */
export const gatherRuns = () => {
  let text = ''
  let [inText, isRaised, phonetic] = [false, false, false]
  return {
    begin: () => {
      text = ''
      isRaised = false
    },
    open: (name: string, value: string | undefined) => {
      if (name === 'r') isRaised = false
      if (name === 'vertAlign') isRaised = value === 'superscript'
      if (name === 'rPh') phonetic = true
      inText = name === 't' && !phonetic
    },
    add: (part: string) => {
      if (inText) text += isRaised ? markRaised(part) : part
    },
    close: (name: string) => {
      inText = false
      if (name === 'rPh') phonetic = false
    },
    text: () => unescaped(settleRaised(text)),
  }
}

/** The texts that cells point to by number. */
export const readStrings = (bytes: Uint8Array, file: string): string[] => {
  const found: string[] = []
  const runs = gatherRuns()
  let left = mostCharacters
  readXml(bytes, file, {
    open: (name, attributes) => {
      if (name === 'si') runs.begin()
      runs.open(name, attributes['val'])
    },
    text: runs.add,
    close: (name) => {
      runs.close(name)
      if (name !== 'si') return
      const text = runs.text()
      left -= text.length
      if (left < 0)
        throw new Unfit('too-large', `${file} holds more text than can be read at once. Split it into smaller files.`)
      found.push(text)
    },
  })
  return found
}
