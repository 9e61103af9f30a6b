import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from '../model-server/answer'
import type { ModelRequest } from '../model-server/request'
import { plainModel } from './plain-model'
import { knownIn, promptTo, readPrompt } from './prompt-content'

/** Begins at the working directory, because this file has different depths in the sources and in the build. */
export const evalFolder = join(process.cwd(), 'lab/eval')
const linesOf = (file: string): unknown[] =>
  readFileSync(join(evalFolder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

type Step = { question: string; waitsFor: number | null; queries: string[] }
/** A passage, by its title and section (`at`). If several passages have the same section, `words` identifies one. */
type Source = { at: string; words?: string }
/** A question with a good answer. `worked` contains the results of the answer's calculations, in order. */
export type Row = {
  id: string
  collection: string
  thread?: string[]
  question: string
  route: { question: string; simple: boolean; queries: string[] }
  plan?: { steps: Step[] }
  found?: Record<string, string>
  answer: string
  worked?: string[]
  sources: Record<string, Source>
  reason: string
  check: {
    claims: string[]
    parts: { what: string; outcome: string; claims: number[] }[]
    usefulness: number
    confidence: number
  }
}
/** A wrong draft. `stray` contains the figures and addresses of the draft that no cited passage contains. */
export type Wrong = { id: string; kind: string; draft: string; wrong: string[]; stray: string[] }

export const rows = linesOf('good-model.jsonl') as Row[]
export const wrongs = linesOf('wrong-drafts.jsonl') as Wrong[]

type Shown = ReturnType<typeof readPrompt>
type Judge = (claim: string) => boolean
type Player = { draftOf: (row: Row) => string; stands: (row: Row) => Judge }

export const isAt = ({ at, words = '' }: Source, { head, body }: Shown['passages'][number]): boolean => {
  const [title, , section] = head.split('\n')
  return [title, section].filter(Boolean).join(' › ') === at && body.includes(words)
}

/** Replaces citation numbers by those in the prompt. A passage that the prompt does not show gets the number 99. */
export const numberedBy = ({ passages }: Shown, { sources }: Row, draft: string): string =>
  draft.replace(/\[(\d+)\]/g, (_, n: string) => {
    const source = sources[n]
    return `[${(source && passages.find((passage) => isAt(source, passage))?.n) ?? 99}]`
  })

export const workedOut = ({ worked = [] }: Row, draft: string): string =>
  worked.reduce((text, value) => text.replace(/\{\{.*?\}\}/, value), draft)

const answersWith = ({ found = {} }: Row, step: string): string =>
  Object.values(found).reduce((text, value) => text.replace(/#\d+/, value), step)

const questionsOf = (row: Row): string[] => [
  row.question,
  row.route.question,
  ...(row.plan?.steps ?? []).map(({ question }) => answersWith(row, question)),
]
const byQuestion = new Map(rows.flatMap((row) => questionsOf(row).map((question) => [question, row] as const)))
export const rowOf = (asked: { body: unknown }): Row | undefined =>
  byQuestion.get(readPrompt(promptTo(asked)).one('question'))

const gradesOf = (row: Row, { passages }: Shown) =>
  passages.map((passage) => {
    const relevant = Object.values(row.sources).some((source) => isAt(source, passage))
    return {
      passage: passage.n,
      reason: relevant ? 'It tells what is asked, or a part of it.' : 'It does not tell it.',
      relevant,
      level: relevant ? 'high' : null,
      confidence: 0.9,
      date: null,
      outdated: relevant ? false : null,
      authority: relevant ? 'high' : null,
      sensitive: relevant ? false : null,
    }
  })

const newClaims = (shown: Shown) => shown.numbered('claim').slice(knownIn(shown))

/**
 * Answers the check of a part: lists the supported claims, and the claims that can be judged only with the whole draft,
 * such as those about missing information.
 */
const checkPartOf = ({ check }: Row, shown: Shown, stands: Judge) => {
  const absent = check.parts.filter(({ outcome }) => outcome === 'not-in-documents').flatMap(({ claims }) => claims)
  const claims = newClaims(shown).map(({ n, text }) => ({ claim: n, passes: stands(text) && !absent.includes(n) }))
  return {
    supported: claims.filter(({ passes }) => passes).map(({ claim }) => claim),
    wait: claims.filter(({ passes }) => !passes).map(({ claim }) => claim),
  }
}

const checkOf = ({ check }: Row, shown: Shown, stands: Judge) => {
  const claims = newClaims(shown).map(({ n, text }) => ({
    claim: n,
    kind: check.claims[n - 1] ?? 'fact',
    reason: stands(text) ? 'The passages it cites tell it.' : 'The passages it cites tell something else.',
    verdict: stands(text) ? 'supported' : 'contradicted',
    confidence: 0.95,
    passage: null,
    conflictsWith: null,
  }))
  return { ...check, claims, tooBroad: false }
}

export const playerOf =
  ({ draftOf, stands }: Player) =>
  (asked: ModelRequest): Answer => {
    const row = rowOf(asked)
    if (!row) return plainModel(asked)
    const shown = readPrompt(promptTo(asked))
    const given: Record<string, () => unknown> = {
      route: () => ({ to: 'research', ...row.route }),
      plan: () => row.plan,
      'short-answer': () => ({ value: row.found?.[shown.one('question')] }),
      'grade-evidence': () => ({ grades: gradesOf(row, shown) }),
      check: () => checkOf(row, shown, stands(row)),
      'check-part': () => checkPartOf(row, shown, stands(row)),
    }
    return plainModel(asked, asked.name === undefined ? numberedBy(shown, row, draftOf(row)) : given[asked.name]?.())
  }
