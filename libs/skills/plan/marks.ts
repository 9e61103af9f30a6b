import { isAuxiliary, verbForms } from '../wording/verbs'

export type Mark = {
  text: string
  lower: string
  kind: 'name' | 'word' | 'auxiliary' | 'verb' | 'article' | 'preposition' | 'relative' | 'stop'
  start: number
  end: number
}

const articles = new Set(['the', 'a', 'an'])
const relatives = new Set(['where', 'which', 'that', 'who', 'whom', 'whose'])
const prepositions = new Set(
  'of in on at by for from to with into through under over during before after between among against near about along across around as since until within besides than per'.split(
    ' ',
  ),
)
const connectors = new Set(['of', 'the', 'de', 'da', 'del', 'la', 'van', 'von', 'and', '&', 'with', 'i'])
const opener = new Set(
  'what which who whom whose when where why how is are was were do does did has have had can could will would should in of for at on the a an besides list retrieve give show tell find name compare and also'.split(
    ' ',
  ),
)
const isCapital = (text: string | undefined): boolean => text !== undefined && /^\p{Lu}/u.test(text)

const kindOf = (text: string, lower: string, first: boolean): Mark['kind'] => {
  if (/^["“#]/.test(text) || (isCapital(text) && !(first && opener.has(lower)))) return 'name'
  if (/^[,;:?!()—]/.test(text)) return 'stop'
  if (articles.has(lower)) return 'article'
  if (relatives.has(lower)) return 'relative'
  if (isAuxiliary(lower)) return 'auxiliary'
  if (prepositions.has(lower)) return 'preposition'
  return verbForms(lower).size > 0 ? 'verb' : 'word'
}

/** How far the next capital of a name is from `at`, over the small words and commas that may stand inside one; 0: the name ends. */
const nextCapital = (all: Mark[], from: number, at: number): number => {
  const length = at - from
  const inside = all.slice(from, at).some(({ lower }) => lower === 'of')
  const small = [0, 1, 2].find(
    (by) => all.slice(at, at + by).every(({ lower }) => connectors.has(lower)) && all[at + by]?.kind === 'name',
  )
  const comma = all[at]?.lower === ',' && all[at + 1]?.kind === 'name'
  if (
    comma &&
    (length > 3 || (all[at + 2]?.lower !== 'and' && all[at + 2]?.lower !== ',' && all[at + 2]?.lower !== 'or'))
  )
    return 2
  if (small === undefined || (small === 1 && all[at]?.lower === 'and' && !inside)) return 0
  return small + 1
}

/** `Battle of Mine Creek`: how many marks from here make up one name. */
const nameLength = (all: Mark[], from: number): number => {
  let length = 1
  if (/^["“#]/.test(all[from]?.text ?? '')) return length
  for (;;) {
    if (length < 3 && /['’]s?$/.test(all[from + length - 1]?.text ?? '')) return length
    const more = nextCapital(all, from, from + length)
    if (more === 0 || /^["“#]/.test(all[from + length + more - 1]?.text ?? '')) return length
    length += more
  }
}

/** A question as marks: names whole, and every other word with the part it can play. */
export const marksOf = (text: string): Mark[] => {
  const single: Mark[] = Array.from(
    text.matchAll(
      /"[^"]+"|“[^”]+”|#\d+(?:['’]s)?|[\p{L}\p{N}](?:[\p{L}\p{N}'’&/_-]|[.,](?=[\p{L}\p{N}]))*\.?(?=\s|$)|[\p{L}\p{N}](?:[\p{L}\p{N}'’&/_-])*|[,;:?!()—]/gu,
    ),
    (match, index) => {
      const bare = match[0].replace(/(?<=[\p{Ll}\p{N}]{3})\.$/u, '')
      const lower = bare.toLowerCase()
      return {
        text: bare,
        lower,
        kind: kindOf(bare, lower, index === 0),
        start: match.index,
        end: match.index + bare.length,
      }
    },
  )
  const found: Mark[] = []
  for (let at = 0; at < single.length; at += 1) {
    const mark = single[at]
    if (!mark) break
    if (mark.kind !== 'name') {
      found.push(mark)
      continue
    }
    const last = single[at + nameLength(single, at) - 1] ?? mark
    found.push({
      ...mark,
      text: text.slice(mark.start, last.end),
      lower: text.slice(mark.start, last.end).toLowerCase(),
      end: last.end,
    })
    at += nameLength(single, at) - 1
  }
  return found
}
