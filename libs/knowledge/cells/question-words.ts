import { fold, wordList, spans, stem } from '../text'

/**
 * The role of a word in a question. A `plain` word does not affect the answer. A `measure` word in the header of a
 * column means that the cells of this column say what each row measures.
 */
export type Role = 'plain' | 'count' | 'cell' | 'percent' | 'range' | 'measure' | Operation
export const operations = ['highest', 'lowest', 'sum', 'average'] as const
export type Operation = (typeof operations)[number]

/**
 * A question gets an exact answer only if it consists of these words and of words of the table, because any other word
 * may change its meaning. Never add a negation here: the answer would ignore the negation.
 */
const words: Record<Role, string> = {
  plain: `a an the of in on at for by with is are was were be been being does do did has have had what which who whose when where how much
    me my please i want to know tell give also and or as it its there that this these those us we you can could would s
    der die das den dem des ein eine einer einem einen und oder ist sind war waren hat haben hatte im am auf fur von vom zum zur bei mit wie
    viel was welche welcher welches welchen wer wo wann gibt es ich mir bitte
    le la les l un une des du de d et ou est sont etait ont au aux en dans sur pour par avec quel quelle quels quelles que qu qui
    il y je moi`,
  count: 'many viele combien',
  cell: `value values figure figures number numbers entry listed list lists report reported reports show shows stated given table retrieve
    find look up get read long often wert werte zahl zahlen tabelle hoch lang lange valeur valeurs chiffre chiffres nombre tableau`,
  percent: 'percent percentage percentages prozent pourcent pourcentage',
  range: 'between from until through bis zwischen entre jusque',
  measure:
    'metric metrics measure measures indicator indicators kpi quantity parameter kennzahl merkmal indicateur mesure',
  highest: 'highest largest greatest biggest most maximum max hochste hochsten grosste grossten meisten plus',
  lowest: 'lowest smallest least fewest minimum min niedrigste niedrigsten kleinste kleinsten wenigsten moins',
  sum: 'sum total totals summe gesamt insgesamt somme',
  average: 'average mean durchschnitt durchschnittlich moyenne',
}

const roles: ReadonlyMap<string, Role> = new Map(
  (Object.keys(words) as Role[]).flatMap((role) => wordList(words[role]).map((word): [string, Role] => [word, role])),
)

/** Each part of an identifier such as `user_type` is a separate word. */
export type Word = { stem: string; raw: string; role: Role | undefined; start: number; end: number }

/** The words of at most this many texts are cached, because other tables and claims often need the same text. */
const mostRead = 20_000
const longestKept = 200
const wordsRead = new Map<string, readonly Word[]>()

const wordsIn = (text: string): readonly Word[] => {
  const known = wordsRead.get(text)
  if (known) return known
  const words = readWords(text)
  if (wordsRead.size >= mostRead) wordsRead.clear()
  if (text.length <= longestKept) wordsRead.set(text, words)
  return words
}

const readWords = (text: string): Word[] =>
  spans(text).flatMap(({ raw, token, start, end }) =>
    (raw.includes('_') ? token.split('_').filter((part) => part !== '') : [token]).map((part) => {
      const folded = fold(part)
      return { stem: stem(folded), raw: folded, role: roles.get(folded), start, end }
    }),
  )

export const namesIn = (text: string): Word[] =>
  wordsIn(text).filter(({ role }) => role !== 'plain' && role !== 'count')

export const isNumber = (word: string): boolean => !Number.isNaN(Number(word))

/** Also returns true if the header abbreviates the year of the question, such as 1985 to `85`. */
const sameNumber = (asked: string, header: string): boolean =>
  asked === header || (header.length === 2 && asked.length === 4 && asked.endsWith(header))

/**
 * `words` lists the words that must occur in or around a table, without words such as `the`. `counts` is true if the
 * question asks how many.
 */
export type Question = { text: string; words: Word[]; counts: boolean }

export const questionIn = (text: string): Question => ({
  text,
  words: namesIn(text),
  counts: wordsIn(text).some(({ role }) => role === 'count'),
})

export const positionsOf = ({ words }: Question, name: readonly string[]): number[][] => {
  if (name.length === 0) return []
  const once = [...new Set(name)]
  const wanted = once.sort().join(' ')
  return words.flatMap((_, from) => {
    const window = words.slice(from, from + once.length)
    const [first, last] = [window[0], window.at(-1)]
    // Skip a match that is only part of an identifier, such as `user` in `user_type`.
    if (words[from - 1]?.start === first?.start || words[from + once.length]?.start === last?.start) return []
    return window
      .map(({ stem: word }) => word)
      .sort()
      .join(' ') === wanted
      ? [window.map((_each, at) => from + at)]
      : []
  })
}

export const numbersOf = ({ words }: Question, numbers: readonly string[]): number[] | null => {
  const found = numbers.map((number) => words.flatMap(({ raw }, at) => (sameNumber(raw, number) ? [at] : [])))
  return found.some((positions) => positions.length === 0) ? null : found.flat()
}
