import type { Evidence } from '@plumbline/contracts'
import { aliasesIn, termsOf } from '@plumbline/knowledge/tables'
import type { Quantity } from '@plumbline/knowledge/text'
import { coverage, fold, names, numbers, stem, tokens, words, years } from '@plumbline/knowledge/text'
import type { Unit } from '../reading/units'
import { unitsOf } from '../reading/units'
import { verbatim } from './closeness'
import { sameValue } from './quantities'
import type { Finding } from './verdict'
import { contradicted, supported, unsupported } from './verdict'

/** A sentence with what it leans on and what follows it. */
type Window = { unit: Unit; text: string; score: number }

/** What is read together with a unit: the rest of its list, or the sentence after it. A row stands alone. */
const besides = (unit: Unit, at: number, units: Unit[]): string[] => {
  if (unit.kind === 'row') return []
  if (unit.kind === 'item')
    return units.filter(({ kind, group }) => kind === 'item' && group === unit.group).map(({ text }) => text)
  const next = units[at + 1]
  return next?.kind === 'sentence' ? [next.text] : []
}

const windowsOf = (claim: string, passage: Evidence): Window[] => {
  const units = unitsOf(passage)
  const aliases = aliasesIn([passage.text])
  const asked = words(claim)
  return units
    .map((unit, at): Window => {
      const text = [unit.lean, unit.text, ...besides(unit, at, units)].join('\n')
      const score = 0.7 * coverage(asked, [...termsOf(text, aliases)]) + 0.3 * coverage(asked, [...termsOf(unit.text, aliases)])
      return { unit, text, score }
    })
    .sort((a, b) => b.score - a.score)
}

const figures = (text: string): Quantity[] => {
  const told = new Set(years(text))
  return numbers(text).filter(({ raw, unit }) => /\d/.test(raw) && unit !== 'th' && !told.has(raw))
}

const sameUnit = (a: Quantity, b: Quantity): boolean => a.unit === b.unit || a.unit === '' || b.unit === ''

const checkNumbers = (claim: string, windows: Window[], passage: Evidence): Finding | null => {
  const [best] = windows
  if (!best) return null
  const near = windows.filter(({ score }) => score >= best.score - 0.15)
  const all = numbers(near.map(({ text }) => text).join('\n'))
  const missing = figures(claim).find(
    (claimed) =>
      !all.some((held) => sameUnit(claimed, held) && sameValue(claimed, held.value, claim.slice(0, claim.indexOf(claimed.raw)))),
  )
  if (!missing) return null
  const other = figures(best.unit.text).find((held) => held.unit === missing.unit && missing.unit !== '')
  if (other && best.score >= 0.5)
    return contradicted(
      `The passage says ${other.raw}${other.unit === '%' ? ' %' : ''} where the claim says ${missing.raw}.`,
      passage.id,
    )
  return unsupported(`${missing.raw} does not stand in the sentence that comes nearest.`)
}

/** A single year must stand where the rest of the claim does: one of another sentence dates something else. */
const checkYears = (claim: string, windows: Window[], passage: Evidence): Finding | null => {
  const [best] = windows
  const told = years(best?.unit.text ?? '')
  const around = [passage.title, ...passage.headingPath].join('\n')
  const near = windows.filter(({ score }) => score >= (best?.score ?? 0) - 0.15).map(({ unit }) => `${unit.lean}\n${unit.text}`)
  const claimed = years(claim)
  const here = new Set(years([around, ...(told.length > 0 && claimed.length === 1 ? near : [passage.text])].join('\n')))
  const missing = claimed.find((year) => !here.has(year))
  if (missing === undefined) return null
  const [other] = told
  return other !== undefined && (best?.score ?? 0) >= 0.6
    ? contradicted(`The passage says ${other} where the claim says ${missing}.`, passage.id)
    : unsupported(`The year ${missing} does not stand in the ${years(passage.text).includes(missing) ? 'sentence that comes nearest' : 'passage'}.`)
}

const checkNames = (claim: string, passage: Evidence): Finding | null => {
  const source = fold([passage.title, ...passage.headingPath, passage.text].join('\n'))
  const here = new Set([...tokens(source), ...words(source)])
  const holds = (name: string): boolean =>
    source.includes(fold(name)) || tokens(name).every((token) => here.has(token) || here.has(stem(token)))
  const missing = names(claim).find((name) => !holds(name))
  return missing === undefined ? null : unsupported(`“${missing}” does not stand in the passage.`)
}

const denial = /\b(?:not|no|never|none|neither|nor|without|cannot|lacks?)\b|n['’]t\b/i
const opposites: [RegExp, RegExp][] = [
  [
    /\bincreas|\brose\b|\bris(?:e|es|ing)\b|\bgrew\b|\bhigher\b/i,
    /\bdecreas|\bfell\b|\bfall(?:s|ing)?\b|\bdropp|\bdeclin|\blower\b/i,
  ],
  [/\bbefore\b/i, /\bafter\b/i],
  [/\bfirst\b/i, /\blast\b/i],
  [/\balways\b/i, /\bnever\b/i],
  [/\bminimum\b|\bat least\b/i, /\bmaximum\b|\bat most\b/i],
  [/\bhighest\b|\blargest\b|\bmost\b/i, /\blowest\b|\bsmallest\b|\bleast\b/i],
  [/\baccept/i, /\breject|\brefus/i],
  [/\bwithout\b/i, /\bwith\b/i],
]

const opposed = (claim: string, source: string): boolean =>
  opposites.some(
    ([one, other]) =>
      (one.test(claim) && !other.test(claim) && other.test(source) && !one.test(source)) ||
      (other.test(claim) && !one.test(claim) && one.test(source) && !other.test(source)),
  )

const checkSense = (claim: string, windows: Window[], passage: Evidence): Finding | null => {
  const [best] = windows
  if (!best || coverage(words(claim), words(`${best.unit.lean}\n${best.unit.text}`)) < 0.7) return null
  const { text } = best.unit
  const close = coverage(words(text), words(claim))
  if (denial.test(claim) && !windows.some((window) => denial.test(window.text) && window.score >= best.score - 0.15))
    return contradicted('The claim denies what the passage says.', passage.id)
  if (!denial.test(claim) && denial.test(text) && close >= 0.6)
    return contradicted('The passage denies what the claim says.', passage.id)
  return opposed(claim, text) && close >= 0.5 ? contradicted('The passage says the opposite.', passage.id) : null
}

const enough = 0.75

/** What a passage's sentences, list items and rows say of a claim. */
export const againstProse = (claim: string, passage: Evidence): Finding => {
  const windows = windowsOf(claim, passage)
  const [best] = windows
  if (!best) return unsupported('The cited passage is empty.')
  const near = (best.score + verbatim(claim, [passage.title, ...passage.headingPath, passage.text].join('\n'))) / 2
  const finding = judged(claim, windows, best, passage)
  return { ...finding, confidence: finding.verdict === 'supported' ? 0.5 + near / 2 : 1 - near / 2 }
}

const judged = (claim: string, windows: Window[], best: Window, passage: Evidence): Finding => {
  const fault =
    checkNames(claim, passage) ??
    checkYears(claim, windows, passage) ??
    checkNumbers(claim, windows, passage) ??
    checkSense(claim, windows, passage)
  if (fault) return fault
  if (best.score < enough) return unsupported('No sentence of the cited passage says this.')
  return supported(
    `The passage says: “${best.unit.text.length > 160 ? `${best.unit.text.slice(0, 157)}…` : best.unit.text}”`,
    passage.id,
  )
}
