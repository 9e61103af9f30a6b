/** One way to write what looks alike: white space, quotes, dashes and composed letters. Case, accents and every other sign stay. */
export const normal = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()

/** A citation mark is no part of what a text says. */
export const withoutCitations = (text: string): string => text.replace(/\s?\[\d+(?:\s*,\s*\d+)*\]/g, '')
