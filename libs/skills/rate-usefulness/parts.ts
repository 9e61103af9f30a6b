import type { AnswerPart, Claim, Evidence } from '@plumbline/contracts'
import type { Vocabulary } from '@plumbline/knowledge/tables'
import { cellAt, labelTokens, partName, rowName, termsOf } from '@plumbline/knowledge/tables'
import { fold, requests, subjectWords, words, years } from '@plumbline/knowledge/text'
import { isAbsence } from '../check-claims/absence'
import { barFor, bearings } from '../reading/bearing'
import type { Lookup } from '../reading/lookup'
import { asksForData, lookUp } from '../reading/lookup'
import type { Selection } from '../reading/selection'
import { selectionAsked } from '../reading/selection'
import { restsOnUnanswered } from '../reading/unanswered'

/** A part of the question, how it came out, and how sure that is. */
export type Rated = AnswerPart & { confidence: number }

/** The words by which a sentence must name a row: as asked, or as the table has it. */
const rowWords = ({ part, resolution }: Lookup): string[][] => {
  const cell = resolution.cells[0] ?? resolution.near
  const asked = part.label.flatMap(({ tokens }) => tokens)
  return cell ? [asked, labelTokens(rowName(cell.table, cell.row))] : [asked]
}

/** Whether a sentence speaks of the part: its row, its year and most of its measure. */
const speaksOf = (text: string, lookup: Lookup, vocabulary: Vocabulary): boolean => {
  const { part, resolution } = lookup
  const labels = new Set(labelTokens(text))
  const named = part.rank !== null || rowWords(lookup).some((tokens) => tokens.every((token) => labels.has(token)))
  const dated = part.year === null || years(text).includes(part.year)
  const cell = resolution.cells[0]
  const header = cell ? ` ${cell.table.columns[cell.column]?.header ?? ''} ${cell.table.name}` : ''
  const terms = termsOf(text, vocabulary.aliases)
  const asked = part.metric.filter(({ weight }) => weight >= 0.5)
  const own = asked.filter(({ stem }) => terms.has(stem)).length
  const meant = words(header).filter((word) => terms.has(word)).length
  return named && dated && (asked.length === 0 || own * 2 >= asked.length || meant >= 2)
}

const outcomeOf = (claims: Claim[], evidence: Evidence[]): AnswerPart['outcome'] => {
  const standing = claims.filter(({ verdict, kind }) => verdict === 'supported' && kind !== 'style')
  if (standing.some(({ text }) => !isAbsence(text, evidence))) return 'answered'
  return standing.length > 0 ? 'not-in-documents' : 'missed'
}

const dataPart = (lookup: Lookup, claims: Claim[], vocabulary: Vocabulary, evidence: Evidence[]): Rated => {
  const about = claims.filter(({ text }) => speaksOf(text, lookup, vocabulary))
  const told = lookup.resolution.cells.filter(({ missing }) => !missing)
  const outcome = outcomeOf(about, evidence)
  const gives =
    told.length === 0 ||
    about.some(({ text }) => told.some((cell) => fold(text).includes(fold(cellAt(cell.table, cell.row, cell.column)))))
  return {
    what: partName(lookup.part),
    outcome: outcome === 'answered' && !gives ? 'missed' : outcome,
    confidence: lookup.resolution.cells.length > 0 ? 0.95 : 0.8,
  }
}

const isDenial = ({ text, verdict }: Claim, evidence: Evidence[]): boolean =>
  isAbsence(text, evidence) && verdict === 'supported'

/** A sentence answers a request when it bears on it as it stands in its passage. */
const prosePart = (request: string, claims: Claim[], evidence: Evidence[]): Rated => {
  const scored = claims.map((claim) => {
    const passage = evidence.find(({ id }) => id === claim.passageId)
    const around = passage ? `${passage.title}\n${passage.headingPath.join('\n')}\n${passage.text}` : ''
    const best = bearings(request, [
      { id: 'answer', title: around, headingPath: passage?.headingPath ?? [], text: claim.text },
    ])[0]
    return { claim, score: best?.score ?? 0 }
  })
  const absent = claims.filter((claim) => isDenial(claim, evidence))
  const about = scored
    .filter(({ claim, score }) => score >= Math.min(0.4, barFor(request)) && !isAbsence(claim.text, evidence))
    .map(({ claim }) => claim)
  const asked = subjectWords(request)
  const denied = absent.some(
    ({ text }) => asked.every((word) => words(text).includes(word)) || claims.length === absent.length,
  )
  const outcome = about.length > 0 ? outcomeOf(about, evidence) : denied ? 'not-in-documents' : 'missed'
  return {
    what: request.replace(/[.?!\s]+$/, ''),
    outcome,
    confidence: Math.max(0.5, ...scored.map(({ score }) => Math.min(1, score))),
  }
}

/** Rows picked by a cell are answered by the claims that name them all. */
const rowsPart = (request: string, { rows }: Selection, claims: Claim[], evidence: Evidence[]): Rated => {
  const naming = claims.filter(({ text }) => rows.every((row) => fold(text).includes(fold(row))))
  return { what: request.replace(/[.?!\s]+$/, ''), outcome: outcomeOf(naming, evidence), confidence: 0.9 }
}

/** Each part of what was asked, by cell where data is asked for, by request otherwise. */
export const ratedParts = (steps: string[], claims: Claim[], evidence: Evidence[], vocabulary: Vocabulary): Rated[] =>
  steps.flatMap((step): Rated[] => {
    // No value answers it: what it asks about was not found.
    if (restsOnUnanswered(step) && claims.some((claim) => isDenial(claim, evidence)))
      return [{ what: step.replace(/[?.!\s]+$/, ''), outcome: 'not-in-documents', confidence: 0.8 }]
    const lookups = lookUp(step, vocabulary)
    return requests(step).flatMap((request) => {
      const here = lookups.filter((lookup) => lookup.request === request)
      const rows = selectionAsked(request, vocabulary.tables)
      if (rows) return [rowsPart(request, rows, claims, evidence)]
      return asksForData(here, vocabulary)
        ? here.map((lookup) => dataPart(lookup, claims, vocabulary, evidence))
        : [prosePart(request, claims, evidence)]
    })
  })
