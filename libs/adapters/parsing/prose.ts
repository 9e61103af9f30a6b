/** Words that Markdown would take for a heading, its underline, a quote, a fence, a rule or a table keep their meaning behind a backslash. */
const mark = /^(?=#{1,6}(?:\s|$)|>|```|~~~|\||<\/?table|(?:-{2,}|=+|\*{3,}|_{3,})\s*$)/i

/** One line of text that is not Markdown, written so that it reads as itself in Markdown. */
export const proseLine = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(mark, '\\')

/** The words of a heading, none of whose signs is to be taken for emphasis or code. */
export const headingWords = (text: string): string => text.replace(/__|\*\*|`/g, (signs) => signs.replace(/./g, '\\$&'))

/** A paragraph keeps its line breaks. */
export const paragraph = (text: string): string =>
  text
    .split('\n')
    .map(proseLine)
    .filter((line) => line !== '')
    .join('\n')

/** Parts one under another; a list of them may be as long as a file. */
export const blocks = (...parts: (string | undefined | readonly string[])[]): string =>
  parts
    .flat()
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n')
