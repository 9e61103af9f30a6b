/**
 * Marks a superscript number with `^` if a number or word precedes it. Without the mark, `10` and a raised `24` would
 * become `1024`.
 */
export const superscript = (text: string, before: string): string =>
  /^[-+−–]?\d/.test(text) && /[\p{L}\p{N})\]]$/u.test(before) ? `^${text}` : text

const [from, to] = ['\u0001', '\u0002']

/** Marks a superscript run with control characters until the text before it is known. */
export const markSuperscript = (run: string): string => `${from}${run}${to}`

/** Writes the superscripts of a line whose runs may be marked. */
export const withSuperscripts = (line: string): string =>
  line
    .replaceAll(to + from, '')
    .replace(/\u0001([^\u0002]*)\u0002/g, (_, run: string, at: number, all: string) =>
      superscript(run, all.slice(Math.max(0, at - 2), at)),
    )
