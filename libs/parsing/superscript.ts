/** Adds `^` before a raised number. Without this mark, `10` and a raised `24` would become `1024`. */
export const superscript = (text: string, before: string): string =>
  /^[-+−–]?\d/.test(text) && /[\p{L}\p{N})\]]$/u.test(before) ? `^${text}` : text

const [from, to] = ['\u0001', '\u0002']

/** Puts a superscript between two control characters, which `withSuperscripts` replaces once the line is complete. */
export const markSuperscript = (run: string): string => `${from}${run}${to}`

export const withSuperscripts = (line: string): string =>
  line
    .replaceAll(to + from, '')
    .replace(/\u0001([^\u0002]*)\u0002/g, (_, run: string, at: number, all: string) =>
      superscript(run, all.slice(Math.max(0, at - 2), at)),
    )
