import type { Quantity } from '../text'

/** A word of what is asked about. A critical one may not be left unaccounted for: it makes another thing of it. */
export type AskedWord = { stem: string; raw: string; weight: number; critical: boolean }
/** The row asked for; `keys` are the row names it may stand for, none when no table has such a row. */
export type AskedLabel = { raw: string; tokens: string[]; keys: string[] }

/** The row whose number in a column that tells rows apart is this one: `6 encoder layers`. */
export type AskedKey = { raw: string; value: number; words: string[] }

/** One thing asked for (or claimed): rows × metrics × years, each a list of alternatives. */
export type Asked = {
  labels: AskedLabel[][]
  keys: AskedKey[][]
  metrics: AskedWord[][]
  years: string[]
  values: Quantity[]
  rank: 'highest' | 'lowest' | null
  /** What is said to be largest or smallest: a measure ranks rows, a thing (`largest moon`) does not. */
  sized: string | null
  /** What is ranked: `which cloud region` ranks cloud regions. */
  ranked: string[]
  /** `Table 4` named in the question. */
  table: string | null
  text: string
}

/** One cell's worth of it. */
export type Part = Pick<Asked, 'rank' | 'sized' | 'ranked' | 'table'> & {
  label: AskedLabel[]
  keys: AskedKey[]
  metric: AskedWord[]
  year: string | null
}

const or = <T>(all: T[], none: T): T[] => (all.length > 0 ? all : [none])

/** Rows × metrics × years, no more than `most` of them: a question may name hundreds of each. */
export const firstParts = (
  { labels, keys: rows, metrics, years, rank, sized, ranked, table }: Asked,
  most: number,
): Part[] => {
  const found: Part[] = []
  for (const metric of or(metrics, []))
    for (const label of or<AskedLabel[]>(labels, []))
      for (const keys of or<AskedKey[]>(rows, []))
        for (const year of or<string | null>(years, null)) {
          if (found.length >= most) return found
          found.push({ label, keys, metric, year, rank, sized, ranked, table })
        }
  return found
}
export const partsOf = (asked: Asked): Part[] => firstParts(asked, Infinity)

/** A part in words: `PUE Oslo 2022`. */
export const partName = ({ label, keys, metric, year, rank }: Part): string =>
  [rank, ...metric.map(({ raw }) => raw), ...label.map(({ raw }) => raw), ...keys.map(({ raw }) => raw), year]
    .filter((word) => word !== null && word !== '')
    .join(' ')
