import type { Evidence } from '@plumbline/contracts'
import { aliasesIn, termsOf } from '@plumbline/knowledge/tables'
import type { Quantity } from '@plumbline/knowledge/text'
import { coverage, fold, names, numbers, stem, tokens, words, years } from '@plumbline/knowledge/text'
import type { Unit } from '../reading/units'
import { unitsOf } from '../reading/units'
import { isOtherAgent } from './agents'
import { clausesOf } from './clauses'
import { verbatim } from './closeness'
import { displacedIn, exchangedIn, movedIn } from './places'
import { sameValue } from './quantities'
import { repeatedIn } from './repeated'
import { opposed, turned } from './sense'
import { strayIn } from './strays'
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
      const score =
        0.7 * coverage(asked, [...termsOf(text, aliases)]) + 0.3 * coverage(asked, [...termsOf(unit.text, aliases)])
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
      !all.some(
        (held) => sameUnit(claimed, held) && sameValue(claimed, held.value, claim.slice(0, claim.indexOf(claimed.raw))),
      ),
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
  const near = windows
    .filter(({ score }) => score >= (best?.score ?? 0) - 0.15)
    .map(({ unit }) => `${unit.lean}\n${unit.text}`)
  const claimed = years(claim)
  const here = new Set(years([around, ...(told.length > 0 && claimed.length === 1 ? near : [passage.text])].join('\n')))
  const missing = claimed.find((year) => !here.has(year))
  if (missing === undefined) return null
  const [other] = told
  return other !== undefined && (best?.score ?? 0) >= 0.6
    ? contradicted(`The passage says ${other} where the claim says ${missing}.`, passage.id)
    : unsupported(
        `The year ${missing} does not stand in the ${years(passage.text).includes(missing) ? 'sentence that comes nearest' : 'passage'}.`,
      )
}

const checkNames = (claim: string, passage: Evidence): Finding | null => {
  const source = fold([passage.title, ...passage.headingPath, passage.text].join('\n'))
  const here = new Set([...tokens(source), ...words(source)])
  const holds = (name: string): boolean =>
    source.includes(fold(name)) || tokens(name).every((token) => here.has(token) || here.has(stem(token)))
  const missing = names(claim).find((name) => !holds(name))
  return missing === undefined ? null : unsupported(`“${missing}” does not stand in the passage.`)
}

const topicOf = ({ title, headingPath }: Evidence): string => [title, ...headingPath].join('\n')

const near = (windows: Window[], within: number): Window[] =>
  windows.filter(({ score }) => score >= (windows[0]?.score ?? 0) - within)

const checkPlaces = (claim: string, windows: Window[], passage: Evidence): Finding | null => {
  const sentences = near(windows, 0.25).map(({ unit }) => unit.text)
  const turned = exchangedIn(claim, sentences)
  if (turned !== null) return contradicted('The passage says it the other way round.', passage.id)
  const clauses = sentences.flatMap(clausesOf)
  if (isOtherAgent(claim, clauses)) return contradicted('The passage says it of somebody else.', passage.id)
  const other = displacedIn(claim, clauses, topicOf(passage))
  if (other !== null) return unsupported(`The passage says “${other}” there.`)
  const moved = movedIn(claim, passage.text, topicOf(passage))
  return moved === null ? null : unsupported(`“${moved}” stands elsewhere in the passage.`)
}

const checkSense = (claim: string, windows: Window[], passage: Evidence): Finding | null => {
  const [best] = windows
  if (!best) return null
  const clauses = near(windows, 0.25).flatMap(({ unit }) => clausesOf(unit.text))
  const finding = turned({ claim, clauses, topic: topicOf(passage), passageId: passage.id })
  if (finding) return finding
  const { lean, text } = best.unit
  const close = coverage(words(claim), words(`${lean}\n${text}`)) >= 0.7 && coverage(words(text), words(claim)) >= 0.5
  return close && opposed(claim, text) ? contradicted('The passage says the opposite.', passage.id) : null
}

const checkWords = (claim: string, passage: Evidence): Finding | null => {
  const source = [passage.title, ...passage.headingPath, passage.text].join('\n')
  const stray = strayIn(claim, source, aliasesIn([source]))
  return stray === null ? null : unsupported(`“${stray}” does not stand in the passage.`)
}

const enough = 0.75

/** What a passage's sentences, list items and rows say of a claim. */
export const againstProse = (claim: string, passage: Evidence): Finding => {
  const windows = windowsOf(claim, passage)
  const [best] = windows
  if (!best) return unsupported('The cited passage is empty.')
  const closeness = (best.score + verbatim(claim, [passage.title, ...passage.headingPath, passage.text].join('\n'))) / 2
  const finding = judged(claim, windows, best, passage)
  return { ...finding, confidence: finding.verdict === 'supported' ? 0.5 + closeness / 2 : 1 - closeness / 2 }
}

const judged = (claim: string, windows: Window[], best: Window, passage: Evidence): Finding => {
  const repeated = repeatedIn(claim, passage)
  if (repeated === 'taken-back') return contradicted('The passage takes it back.', passage.id)
  const fault = repeated
    ? null
    : (checkNames(claim, passage) ??
      checkWords(claim, passage) ??
      checkYears(claim, windows, passage) ??
      checkNumbers(claim, windows, passage) ??
      checkSense(claim, windows, passage) ??
      checkPlaces(claim, windows, passage))
  if (fault) return fault
  if (best.score < enough) return unsupported('No sentence of the cited passage says this.')
  return supported(
    `The passage says: “${best.unit.text.length > 160 ? `${best.unit.text.slice(0, 157)}…` : best.unit.text}”`,
    passage.id,
  )
}
