import type { Grade, Level, Passage } from '@plumbline/contracts'
import type { Vocabulary } from '@plumbline/knowledge/tables'
import { vocabularyOf } from '@plumbline/knowledge/tables'
import { coverage, requests, subjectWords, words } from '@plumbline/knowledge/text'
import { bearings } from '../reading/bearing'
import { grantedIn } from '../reading/granted'
import type { Lookup } from '../reading/lookup'
import { asksForData, isSpecific, lookUp } from '../reading/lookup'
import { gradePart } from './from-tables'
import { selectionAsked } from '../reading/selection'
import type { GradeEvidence } from './grade-evidence'
import { naming } from './naming'

const bars = { lenient: 0.35, normal: 0.42, strict: 0.55 }
const levels = { high: 0.68, medium: 0.5 }

/** How far the question names what the passage as a whole is about. */
const named = (question: string, { title, headingPath }: Passage): number => {
  const asked = words(question)
  return Math.max(
    ...[title, headingPath.at(-1) ?? ''].map((text) => coverage(words(text.replace(/\([^)]*\)/g, '')), asked)),
  )
}

/** Its best sentence, its words as a whole, and its subject, each from 0 to 1. */
const relevance = (question: string, passage: Passage): number => {
  const best = bearings(question, [passage])[0]?.score ?? 0
  const whole = coverage(
    subjectWords(question),
    words([passage.title, ...passage.headingPath, passage.text].join('\n')),
  )
  return (best + whole + named(question, passage)) / 3 + naming(question, passage)
}

const gradeProse = (question: string, passage: Passage, strictness: keyof typeof bars): Grade => {
  const [best] = bearings(question, [passage])
  const score = Math.max(relevance(question, passage), (best?.score ?? 0) >= 0.8 ? 0.6 : 0)
  const bar = bars[strictness]
  const relevant = best !== undefined && score >= bar
  const level: Level = !relevant ? 'low' : score >= levels.high ? 'high' : score >= levels.medium ? 'medium' : 'low'
  const reason = relevant
    ? `It bears on the question: “${best.text.slice(0, 160)}”`
    : 'It shares too little with the question.'
  return { relevant, level, confidence: Math.min(1, 0.5 + Math.abs(score - bar) / 2), reason }
}

const better = (a: Grade, b: Grade): Grade => {
  const height = ({ relevant, level }: Grade): number => (relevant ? 3 : 0) + { low: 0, medium: 1, high: 2 }[level]
  return height(b) > height(a) || (height(b) === height(a) && b.confidence > a.confidence) ? b : a
}

/** A table's rows are judged cell by cell, so that the right words over the wrong row do not count. */
const gradeRequest = (
  request: string,
  passage: Passage,
  lookups: Lookup[],
  vocabulary: Vocabulary,
  strictness: keyof typeof bars,
): Grade => {
  const rows = selectionAsked(request, vocabulary.tables)
  if (rows)
    return {
      relevant: true,
      level: 'high',
      confidence: 0.9,
      reason: `Its table tells which rows have “${rows.value}” under “${rows.header}”.`,
    }
  const specific = lookups.filter(({ part }) => isSpecific(part))
  const byCell = specific.length > 0 && (vocabulary.tables.length > 0 || asksForData(lookups, vocabulary))
  const parts = specific.map(({ part }) => gradePart(request, part, vocabulary, passage))
  if (!byCell)
    return [gradeProse(request, passage, strictness), ...parts.filter(({ relevant }) => relevant)].reduce(better)
  const prose = { ...passage, text: passage.text.replace(/^\s*\|.*\|\s*$/gm, '') }
  return prose.text.trim() === ''
    ? parts.reduce(better)
    : [...parts, gradeProse(request, prose, 'strict')].reduce(better)
}

/** By cell where the question asks for data, by sentence otherwise. A passage is relevant when it serves one part. */
export const offlineGradeEvidence: GradeEvidence = async ({ question: asked, passage, strictness }, { signal }) => {
  signal.throwIfAborted()
  // A wrong figure in the question must not keep away the passage that puts it right.
  const question = grantedIn(asked)?.bare ?? asked
  const vocabulary = vocabularyOf([passage])
  const lookups = lookUp(question, vocabulary)
  const grades = requests(question).map((request) =>
    gradeRequest(
      request,
      passage,
      lookups.filter((lookup) => lookup.request === request),
      vocabulary,
      strictness,
    ),
  )
  return grades.length > 0 ? grades.reduce(better) : gradeProse(question, passage, strictness)
}
