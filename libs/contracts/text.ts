import { z } from 'zod'

// NUL and the other control characters, but not tab, line feed and carriage return.
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** Text that people wrote: binary data and half characters are refused where they come in. */
const isPlain = (text: string): boolean => text.isWellFormed() && !control.test(text)
export const plainText = z
  .string()
  .refine(isPlain, 'send plain text: this holds binary data, control characters or half characters')

/** What a terminal obeys, as it begins: a colour, a title, a link, with all that belongs to it. */
const escapes = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]/g
/** Control characters but tab and line feed, and what changes the direction of writing, as U+202E does. */
const hidden = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu

/** Text without what steers a terminal or makes it read otherwise than it stands: for every text of others that is shown. */
export const clean = (text: string): string => text.replace(escapes, '').replace(/\r\n?/g, '\n').replace(hidden, '')

/** The same in one line, for names. */
export const cleanName = (text: string): string => clean(text).replace(/\s+/g, ' ').trim()

/** A name that is shown to people: a title, the name of a document. */
export const shownName = plainText.overwrite(cleanName)

/** A name that programs give and compare: what it cannot hold is refused, because two must never become one. */
export const givenId = z
  .string()
  .min(1)
  .max(64)
  .refine(
    (id) => id.isWellFormed() && cleanName(id) === id,
    'leave out control characters, characters that change the direction of writing, and blanks at the ends',
  )

/** Opaque: send `next` back as `cursor` to go on; null on the last page. */
export const Cursor = z.string().nullable()
