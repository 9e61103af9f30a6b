const abbreviation =
  /(?:\b(?:e\.g|i\.e|cf|vs|etc|al|dr|mr|mrs|ms|prof|sr|jr|st|no|nos|fig|figs|eq|sec|ch|vol|pp|approx|inc|ltd|co|corp|dept|est|gen|gov|sen|rep|rev|hon)|\b[A-Z]|\b[A-Z](?:\.[A-Z])+)\.$/i
const listItem = /^\s*(?:[-*+•]|\d{1,3}[.)]|[a-z][.)])\s+/i
const heading = /^\s{0,3}#{1,6}\s+/
const tableLine = /^\s*\|.*\|\s*$/
const rule = /^\s*(?:[-*_=]\s*){3,}$/
const fence = /^\s*(?:```|~~~)/

export type TextBlock = { kind: 'prose' | 'item' | 'heading' | 'table' | 'code'; text: string }

const kindOf = (line: string, code: boolean): TextBlock['kind'] => {
  if (code) return 'code'
  if (heading.test(line)) return 'heading'
  if (tableLine.test(line)) return 'table'
  return listItem.test(line) ? 'item' : 'prose'
}

/** Paragraphs, list items, headings and table lines, each in one line, without their Markdown marks. */
export const textBlocks = (text: string): TextBlock[] => {
  const found: TextBlock[] = []
  let open = false
  let code = false
  for (const line of text.split(/\r?\n/)) {
    if (fence.test(line)) code = !code
    if (fence.test(line) || rule.test(line) || line.trim() === '') {
      open = false
      continue
    }
    const kind = kindOf(line, code)
    const bare = line
      .replace(heading, '')
      .replace(listItem, '')
      .replace(/^\s*>\s?/, '')
      .trim()
    const last = found.at(-1)
    if (open && last && kind === 'prose') last.text = `${last.text} ${bare}`
    else if (bare !== '') found.push({ kind, text: bare })
    open = kind === 'prose' || kind === 'item'
  }
  return found
}

/** A full stop after an abbreviation or an initial ends nothing. */
const ends = (before: string): boolean => !(before.endsWith('.') && abbreviation.test(before.slice(-12)))

/** `… in the USA.First for Women is …`: extracted text loses the space between sentences. `Task.Run` in a short line is a name. */
const glued = /(?<=\S+(?:\s+[^\s`]+){4}[\p{L}\p{N})\]"”][.!?]["'”’)]?)(?=["“]?\p{Lu}[\p{Ll}'’]+(?:\s+[^\s`]+){3})/gu
const unglued = (block: string): string =>
  /[.!?]["'”’)]?["“]?\p{Lu}\p{Ll}/u.test(block) ? block.replace(glued, ' ') : block

const split = (whole: string): string[] => {
  const block = unglued(whole)
  const found: string[] = []
  let from = 0
  for (const match of block.matchAll(/[.!?…](?:["'”’)\]*_]|\s?\[\d+\])*\s+(?!\[\d+\])(?=["'“‘(*_[]?[\p{Lu}\p{N}])/gu)) {
    const stop = match.index + match[0].length
    if (!ends(block.slice(from, match.index + 1))) continue
    found.push(block.slice(from, stop).trim())
    from = stop
  }
  found.push(block.slice(from).trim())
  return found.filter((sentence) => sentence !== '')
}

export const sentencesOf = ({ kind, text }: TextBlock): string[] =>
  kind === 'table' || kind === 'code' ? [text] : split(text)

/** The sentences of a text, in order; list items, headings and table lines stand alone; citations stay with their sentence. */
export const sentences = (text: string): string[] => textBlocks(text).flatMap(sentencesOf)
