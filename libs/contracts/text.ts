import { z } from 'zod'

// Matches control characters such as NUL. Tab, line feed and carriage return are allowed.
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

const isPlain = (text: string): boolean => text.isWellFormed() && !control.test(text)
export const plainText = z
  .string()
  .refine(isPlain, 'send plain text: the text contains binary data, control characters or incomplete characters')

/** Matches a complete escape sequence of a terminal. Such a sequence sets a color, a title or a link. */
const escapes = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]/g
/** Matches characters that change the writing direction, and control characters except tab and line feed. */
const hidden = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu

/** Removes characters that control a terminal or disguise text. Clean every text from outside before showing it. */
export const clean = (text: string): string => text.replace(escapes, '').replace(/\r\n?/g, '\n').replace(hidden, '')

export const cleanName = (text: string): string => clean(text).replace(/\s+/g, ' ').trim()

export const shownName = plainText.overwrite(cleanName)

/** An id that a client chooses. Invalid characters are rejected, because removing them could make two ids equal. */
export const givenId = z
  .string()
  .min(1)
  .max(64)
  .refine(
    (id) => id.isWellFormed() && cleanName(id) === id,
    'remove control characters, characters that change the direction of writing, and spaces at the beginning and the end',
  )

export const Cursor = z.string().nullable()
