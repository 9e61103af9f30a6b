import type { Evidence } from '@plumbline/contracts'
import { sentences, withoutCitations } from '@plumbline/knowledge/text'
import { marksIn } from '../check-claims/claimed'
import { isStyle } from '../check-claims/kinds'
import type { Answer } from './answer'
import { composing, isNew, keptStatements } from './compose'
import type { Statement } from './statement'

type Input = Pick<Parameters<Answer>[0], 'evidence' | 'maxSentences' | 'keep' | 'avoid' | 'onDelta'>

/** Numbers of passages that were never given are dropped. */
const statementIn = (sentence: string, evidence: Evidence[]): Statement => {
  const marks = marksIn(sentence)
  const passageIds = [...new Set(marks)].flatMap((n) => evidence[n - 1]?.id ?? [])
  return {
    text: withoutCitations(sentence)
      .replace(/\s+([.!?])$/, '$1')
      .trim(),
    passageIds,
  }
}

/** The numbers of the sentences that cite no passage which was given. */
export const uncited = (text: string, evidence: Evidence[]): number[] =>
  sentences(text)
    .map((sentence) => statementIn(sentence, evidence))
    .flatMap((statement, at) => (statement.passageIds.length === 0 && !isStyle(statement.text) ? [at + 1] : []))

/** The end of a text that is still being written may turn out to be a citation of the sentence before it. */
const complete = (text: string): string[] => {
  const all = sentences(text)
  return all.slice(0, /^\s*\[[\d,\s]*$/.test(all.at(-1) ?? '') ? -2 : -1)
}

/** A draft in the making, sentence by sentence: what is kept stands first, then what is new, up to the limit. Nothing is written before the first sentence. */
export const drafting = ({ evidence, maxSentences, keep = [], avoid = [], onDelta }: Input) => {
  const { say, written } = composing(onDelta)
  const kept = keptStatements(keep, evidence).slice(0, maxSentences)
  const said: Statement[] = []
  let heard = ''
  let taken = 0
  const tell = (statement: Statement): void => {
    said.push(statement)
    say(statement)
  }
  const take = (all: string[]): void => {
    if (said.length === 0 && all.length > 0) kept.forEach(tell)
    for (const sentence of all.slice(taken)) {
      const statement = statementIn(sentence, evidence)
      if (statement.text !== '' && said.length < maxSentences && isNew(statement, said, avoid)) tell(statement)
    }
    taken = Math.max(taken, all.length)
  }
  return {
    hear: (piece: string): void => {
      heard += piece
      take(complete(heard))
    },
    finish: (text: string) => {
      take(sentences(text))
      if (said.length === 0) kept.forEach(tell)
      return written()
    },
  }
}
