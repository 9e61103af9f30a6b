import type { ParsedDocument } from '@plumbline/contracts'
import type { Reading } from '../limits'
import { plainText } from '../text/read-text'
import { fencedCode, escapedHeading } from '../write-markdown'
import { languageOf } from './languages'

type Declaration = { line: number; heading: string }

/** The maximum length of a declaration's line in characters. Longer lines are usually generated code. */
const longestLine = 400

const declared = (line: string, patterns: readonly RegExp[]): string | null => {
  if (line.length > longestLine) return null
  for (const pattern of patterns) {
    const found = pattern.exec(line)
    if (!found) continue
    const [, kind = '', ...names] = found
    return [kind === '' ? 'function' : kind.replace('!', ''), ...names.filter(Boolean)]
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
  }
  return null
}

const delimiters: Readonly<Record<string, readonly string[]>> = {
  python: ['"""', "'''"],
  javascript: ['`'],
  typescript: ['`'],
  go: ['`'],
}

/** Returns for each line whether it begins inside a multi-line string. Such a line is not a declaration. */
const quotedLines = (lines: readonly string[], language: string): boolean[] => {
  let open = ''
  return lines.map((line) => {
    const inside = open !== ''
    for (let at = 0; at < line.length; at += 1) {
      if (line[at] === '\\') at += 1
      else if (open !== '' && line.startsWith(open, at)) {
        at += open.length - 1
        open = ''
      } else if (open === '') {
        open = delimiters[language]?.find((mark) => line.startsWith(mark, at)) ?? ''
        at += Math.max(0, open.length - 1)
      }
    }
    return inside
  })
}

const declarationsIn = (lines: readonly string[], file: string): Declaration[] => {
  const { declarations, leading, name } = languageOf(file)
  if (declarations.length === 0) return []
  const quoted = quotedLines(lines, name)
  let last = -1
  return lines.flatMap((line, at) => {
    const heading = quoted[at] ? null : declared(line, declarations)
    if (heading === null) return []
    let from = at
    while (
      from - 1 > last &&
      leading.test(lines[from - 1] ?? '') &&
      declared(lines[from - 1] ?? '', declarations) === null
    )
      from -= 1
    last = at
    return [{ line: from, heading }]
  })
}

export const readCode = async (bytes: Uint8Array, { name }: Reading): Promise<ParsedDocument> => {
  const lines = await Promise.resolve(plainText(bytes, name).split('\n'))
  const language = languageOf(name).name
  const found = declarationsIn(lines, name)
  const title = name.split(/[\\/]/).at(-1) ?? name
  const sections = [{ line: 0, heading: '' }, ...found].map(({ line, heading }, at) => ({
    heading,
    code: lines.slice(line, found[at]?.line ?? lines.length).join('\n'),
  }))
  const written = sections
    .filter(({ code }) => code.trim() !== '')
    .map(({ heading, code }) =>
      heading === '' ? fencedCode(code, language) : `## ${escapedHeading(heading)}\n\n${fencedCode(code, language)}`,
    )
  return { title, markup: 'markdown', parts: [{ text: [`# ${escapedHeading(title)}`, ...written].join('\n\n') }] }
}
