import type { Evidence } from '@plumbline/contracts'
import type { Part, Vocabulary } from '@plumbline/knowledge/tables'
import { askedIn, find, partsOf, rowName } from '@plumbline/knowledge/tables'
import { figureInProse } from '../reading/figure'
import { wantOf } from '../reading/need'
import { withoutUnanswered } from '../reading/unanswered'
import { repeatedIn } from './repeated'
import type { Finding } from './verdict'
import { contradicted, supported } from './verdict'

const not = String.raw`\b(?:not|n['’]t|never)\s+(?:\w+\s+){0,2}`
const source = String.raw`\b(?:documents?|documentation|passages?|evidence|context|sources?|tables?|reports?|texts?|sections?|pages?|papers?|articles?|manual|handbook|guide|excerpts?)\b`
/** To tell is what documents do; what else does not hold a thing says something of itself: `the warranty does not cover …`. */
const notTold = new RegExp(
  String.raw`${not}(?:report|stat|mention|disclos|quot|specif|answer|say|published|in the (?:documents?|passages?|evidence|tables?))\w*` +
    String.raw`|${source}[^.;,]*?${not}(?:giv|provid|cover|list|publish|includ|contain)\w*` +
    String.raw`|${not}(?:giv|provid|includ|contain)\w*\s+(?:any |the |enough )?(?:information|details?|data|figures?|answers?|mention|values?)\b` +
    String.raw`|\b(?:no|without)\s+(?:[\w()%/-]+\s+){0,8}?(?:is|are|was|were|has been|have been)?\s*(?:reported|given|stated|available|listed|mentioned|provided|disclosed|published|recorded|quoted)\b` +
    String.raw`|\bno (?:value|figure|data|information|mention|entry)\b|\bunavailable\b|\bdo(?:es)? not (?:say|tell|know)\b`,
  'i',
)
/** `It is not covered`, `is not available`: of the thing itself, where its passage says just this. */
const notHeld = new RegExp(
  String.raw`${not}(?:given|provided|covered|listed|included|contained|found|available)\b`,
  'i',
)

/** A sentence that says that the documents do not tell something; the passages it stands in word for word speak of their subject. */
export const isAbsence = (claim: string, passages: readonly Evidence[] = []): boolean =>
  notTold.test(claim) || (notHeld.test(claim) && !passages.some((passage) => repeatedIn(claim, passage) !== null))

/** A sentence that answers nothing: it refuses, it does not know, or it asks back. */
export const isRefusal = (text: string): boolean =>
  isAbsence(text) ||
  /\b(?:(?:do|does|did) not|don['’]t|cannot|can['’]t|unable to|not able to)\s+(?:know|answer|help|tell|say|determine|find)\b|^(?:please|could you|can you)\b.*\b(?:details?|clarify|specify|more|which)\b|\bsorry\b/i.test(
    text,
  )

/** The claim without the words that deny, so that what is left is what was looked for. */
const lookedFor = (claim: string): string =>
  claim
    .replace(/[,;]?\s+(?:because|since|as(?! of\b))\b.*$/i, '')
    .replace(
      /\b(?:is|are|was|were|has been|have been)?\s*(?:not|n['’]t)\s+(?:\w+\s+){0,2}(?:reported|stated|given|mentioned|disclosed|provided|quoted|covered|listed|published|specified|included|available|found)\b/gi,
      ' ',
    )
    .replace(
      /\b(?:in|by|from) (?:the|these|any) (?:provided |given |available )?(?:documents?|passages?|evidence|tables?|context|sources?)\b/gi,
      ' ',
    )
    .replace(
      /\b(?:documents?|passages?|evidence|context|sources?) (?:do|does|did) not\b.*?\b(?:report|state|give|mention|disclose|provide|say|answer|cover|contain|include)\w*/gi,
      ' ',
    )
    .replace(/^\s*(?:the|these)\s+(?=\s)/i, ' ')
    .replace(/\b(?:no|unavailable|available)\b/gi, ' ')

const told = (part: Part, vocabulary: Vocabulary, evidence: Evidence[], quoted: boolean): Finding | null => {
  const cell = find(part, vocabulary).cells.find(({ missing }) => !missing)
  if (cell && (part.label.length > 0 || part.year !== null)) {
    const row = rowName(cell.table, cell.row)
    const header = cell.table.columns[cell.column]?.header ?? ''
    return contradicted(
      `A value is reported: “${cell.table.name}” gives ${cell.text} for ${row} under ${header}.`,
      cell.table.passageId,
    )
  }
  const figure = !quoted && part.label.length > 0 && part.year !== null ? figureInProse(part, evidence) : null
  return figure ? contradicted(`A value is reported: “${figure.text}”`, figure.passageId) : null
}

/** Holds when no passage of the run's evidence tells what is said to be untold, cited or not. */
export const checkAbsence = (claim: string, vocabulary: Vocabulary, evidence: Evidence[], cited: string[]): Finding => {
  // No cell says why.
  const isWhy = wantOf(/“(.+)”/.exec(claim)?.[1] ?? '') === 'why'
  const parts = (isWhy ? [] : askedIn(lookedFor(withoutUnanswered(claim)), vocabulary, 'question'))
    .flatMap(partsOf)
    .filter(({ metric, label, year }) => metric.length > 0 && (label.length > 0 || year !== null))
  const denied = parts
    .map((part) => told(part, vocabulary, evidence, /[“"]/.test(claim)))
    .find((finding) => finding !== null)
  return denied ?? supported('No passage of the evidence reports it.', cited[0] ?? null)
}
