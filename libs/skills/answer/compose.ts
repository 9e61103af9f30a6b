import type { CitedPassage, Claim, Evidence } from '@plumbline/contracts'
import { coverage, fold, names, numbers, overlap, sentences, withoutCitations, words } from '@plumbline/knowledge/text'
import type { Statement } from './statement'

const figures = (text: string): string =>
  numbers(text)
    .map(({ value, unit }) => `${value}${unit}`)
    .sort()
    .join(' ')
const named = (text: string): string => names(text).map(fold).sort().join(' ')
const sameAs = (a: string, b: string): boolean =>
  fold(a) === fold(b) || (overlap(a, b) >= 0.9 && figures(a) === figures(b) && named(a) === named(b))

/** The passage that carries a kept sentence best. */
const carrier = (text: string, evidence: Evidence[]): string[] => {
  const asked = words(text)
  const share = ({ title, headingPath, text: source }: Evidence): number =>
    coverage(asked, words([title, ...headingPath, source].join('\n')))
  const [best] = [...evidence].sort((a, b) => share(b) - share(a))
  return best ? [best.id] : []
}

export const keptStatements = (keep: string[], evidence: Evidence[]): Statement[] =>
  keep.map((text) => {
    const bare = withoutCitations(text).trim()
    return { text: bare, passageIds: carrier(bare, evidence) }
  })

/** Years of one row share a sentence: `PUE of Oslo was 1.20 in 2022 and 1.16 in 2023`. */
export const merged = (statements: Statement[]): Statement[] => {
  const groups = new Map<string, Statement[]>()
  for (const statement of statements) {
    const key = statement.cell && statement.cell.cell.year !== null ? statement.cell.of : statement.text
    groups.set(key, [...(groups.get(key) ?? []), statement])
  }
  return [...groups].map(([of, same]) => {
    const [first] = same
    if (same.length === 1 && first) return first
    const said = same.map(({ cell }) => cell?.said ?? '')
    return {
      text: `${of} was ${said.slice(0, -1).join(', ')} and ${said.at(-1)}`,
      passageIds: [...new Set(same.flatMap(({ passageIds }) => passageIds))],
    }
  })
}

/** Neither repeats what is said already nor brings back what did not stand. */
export const isNew = (statement: Statement, said: Statement[], avoid: Claim[]): boolean =>
  !said.some(({ text }) => sameAs(text, statement.text)) &&
  !avoid.some(({ text }) => sameAs(withoutCitations(text), statement.text))

export const admitted = (statements: Statement[], kept: Statement[], avoid: Claim[]): Statement[] =>
  statements.filter((statement, at) => isNew(statement, [...kept, ...statements.slice(0, at)], avoid))

/** Writes statement by statement: each sentence with its citations, numbered in the order of their first use. */
export const composing = (onDelta?: (text: string) => void) => {
  const citations: CitedPassage[] = []
  const mark = (passageId: string): string => {
    const known = citations.find((each) => each.passageId === passageId)
    if (!known) citations.push({ n: citations.length + 1, passageId })
    return `[${known?.n ?? citations.length}]`
  }
  let text = ''
  const say = ({ text: said, passageIds }: Statement): void => {
    const marks = passageIds.map(mark).join('')
    for (const sentence of sentences(said)) {
      const piece = `${text === '' ? '' : ' '}${sentence.replace(/\s*[.:;,]+(["'”’)]*)$/, '$1')}${marks === '' ? '' : ` ${marks}`}.`
      text += piece
      onDelta?.(piece)
    }
  }
  return { say, written: () => ({ text, citations }) }
}

export const compose = (
  statements: Statement[],
  onDelta?: (text: string) => void,
): { text: string; citations: CitedPassage[] } => {
  const { say, written } = composing(onDelta)
  statements.forEach(say)
  return written()
}
