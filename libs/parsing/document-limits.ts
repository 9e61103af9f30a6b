import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Limits } from './limits'

export const tooLong = (what: string): Unfit =>
  new Unfit('too-large', `This document has ${what}. Split it into smaller documents and upload each of them.`)

/** The maximum length of a title, a note or a warning. It is short, because lists show each of them on one line. */
const mostCharacters = 300
const mostNotes = 100
const mostWarnings = 20
const withShortNotes = ({ title, notes, warnings, ...document }: ParsedDocument): ParsedDocument => ({
  ...document,
  ...(warnings && {
    warnings: warnings
      .slice(0, mostWarnings)
      .map((warning) => ({ ...warning, words: warning.words.slice(0, mostCharacters) })),
  }),
  ...(title !== undefined && { title: title.slice(0, mostCharacters) }),
  ...(notes && { notes: notes.slice(0, mostNotes).map((note) => note.slice(0, mostCharacters)) }),
})

export const withinLimits = (document: ParsedDocument, { textChars }: Pick<Limits, 'textChars'>): ParsedDocument => {
  const chars = document.parts.reduce((sum, { text }) => sum + text.length, 0)
  if (chars > textChars) throw tooLong(`${chars} characters of text, more than the limit of ${textChars}`)
  return withShortNotes(document)
}
