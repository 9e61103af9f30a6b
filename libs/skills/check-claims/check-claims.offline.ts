import type { CitedPassage, Claim, Evidence, Working } from '@plumbline/contracts'
import type { Vocabulary } from '@plumbline/knowledge/tables'
import { vocabularyOf } from '@plumbline/knowledge/tables'
import { coverage, words } from '@plumbline/knowledge/text'
import { checkWorked } from '../compute/recompute'
import { againstQuestion, isBareReply } from './against-question'
import { checkAbsence, isAbsence } from './absence'
import { againstProse } from './against-prose'
import { againstSelection } from './against-selection'
import { againstTables } from './against-tables'
import { withoutCorrection } from '../wording/correction'
import type { CheckClaims } from './check-claims'
import { claimsIn } from './claimed'
import { isStyle, kindOf } from './kinds'
import { repeatedIn } from './repeated'
import { isDenied } from './sense'
import type { Finding } from './verdict'
import { contradicted, supported, unsupported, worst } from './verdict'

type Scene = {
  question: string
  citations: CitedPassage[]
  evidence: Evidence[]
  vocabulary: Vocabulary
  workings: Working[]
}

/** The most favourable of the cited passages decides; a contradiction in one counts only where none supports. */
const againstPassages = (claim: string, passages: Evidence[]): Finding => {
  const vocabulary = vocabularyOf(passages)
  const listed = againstSelection(claim, vocabulary)
  if (listed) return listed
  const tables = againstTables(claim, vocabulary)
  if (tables) return worst(tables) ?? unsupported('Nothing in it could be checked.')
  const findings = passages.map((passage) => againstProse(claim, passage))
  return (
    findings.find(({ verdict }) => verdict === 'supported') ??
    worst(findings) ??
    unsupported('No cited passage says this.')
  )
}

const elsewhere = (claim: string, evidence: Evidence[], cited: Evidence[]): string => {
  const other = evidence.find(
    (passage) => !cited.includes(passage) && againstPassages(claim, [passage]).verdict === 'supported',
  )
  return other ? ` Another passage of “${other.title}” does, but it is not cited.` : ''
}

const check = (
  claim: string,
  marks: number[],
  { question, citations, evidence, vocabulary, workings }: Scene,
): Finding => {
  if (isStyle(claim)) return supported('Style: it says nothing that could be checked.', null)
  const worked = checkWorked(claim, workings, { question, evidence })
  if (worked) return worked
  const ids = citations.filter(({ n }) => marks.includes(n)).map(({ passageId }) => passageId)
  const cited = evidence.filter(({ id }) => ids.includes(id))
  if (isAbsence(claim) && !cited.some((passage) => repeatedIn(claim, passage) !== null))
    return isDenied(claim, cited)
      ? contradicted('The claim denies what the passage says.', ids[0] ?? null)
      : checkAbsence(claim, vocabulary, evidence, ids)
  if (marks.length === 0) return unsupported('It cites no passage.')
  if (cited.length === 0) return unsupported('What it cites is not among the evidence.')
  const asked = againstQuestion(question, claim, cited)
  if (asked && (asked.verdict === 'contradicted' || isBareReply(claim))) return asked
  const finding = againstPassages(withoutCorrection(claim), cited)
  const onlyAsked = coverage(words(claim), words(question)) === 1
  if (asked && onlyAsked && finding.verdict === 'unsupported') return asked
  return finding.verdict === 'unsupported'
    ? { ...finding, reason: finding.reason + elsewhere(claim, evidence, cited) }
    : finding
}

/** A cell, a list of rows or a missing citation is settled by rule; how near a sentence comes is told by the finding itself. */
const byRule = 0.95

/** Each sentence is a claim, judged strictly against the passages it cites. */
export const offlineCheckClaims: CheckClaims = async (
  { question, text, citations, evidence, workings = [] },
  { signal },
) => {
  signal.throwIfAborted()
  const scene = { question, citations, evidence, vocabulary: vocabularyOf(evidence), workings }
  return claimsIn(text).map(({ text: claim, marks }): Claim => ({
    text: claim,
    kind: kindOf(claim),
    confidence: byRule,
    ...check(claim, marks, scene),
  }))
}
