/** White space in one form. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The words of a list that is written as a text. */
export const listed = (text: string): string[] => oneLine(text).split(' ')

/** Quotes and dashes in one form. */
export const plainSigns = (text: string): string =>
  text
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐-―−]/g, '-')

/** One way to write what looks alike: white space, quotes, dashes and composed letters. Case, accents and every other sign stay. */
export const normal = (text: string): string => oneLine(plainSigns(text.normalize('NFC')))
