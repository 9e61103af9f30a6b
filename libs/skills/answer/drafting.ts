import type { Evidence, Working } from '@plumbline/contracts'
import { figure, readFormula } from '@plumbline/knowledge/arithmetic'
import { isInCodeSpan } from '@plumbline/knowledge/claims/citations'
import { closedPart } from '@plumbline/knowledge/claims/closed-part'
import { type Piece, piecesOf } from '@plumbline/knowledge/claims/pieces'
import type { NumberedPassage } from '../skill/prompt'
import type { Drafted, DraftPart } from '../skill/skill'
import { areInPassages, asPassage, isNumberIn } from '../skill/workings'

/** Matches a calculation such as `{{ 12.5 + 7.25 }}`, or `{{ 12.5 / 7 | 2 }}` for two decimals. */
const calculation = /\{\{([^{}|]*)(?:\|\s*(\d{1,2})\s*)?\}\}/g

/** Numbers that need no source: whole numbers up to 12, and usual calendar, percentage and power-of-ten values. */
const plainCounts = 12
const calendar = new Set([24, 30, 52, 60, 100, 360, 365, 366, 1_000, 1_000_000])
/** Exact conversion factors between units. They need no source, because passages rarely state them. */
const unitFactors = new Set([
  0.3048, 0.45359237, 0.9144, 1.609344, 1.8, 1.852, 2.54, 3.6, 3.785411784, 4.184, 4.54609, 25.4, 28.349523125, 32,
  273.15,
])
const isPlain = (value: number): boolean =>
  (Number.isInteger(value) && value >= 0 && value <= plainCounts) || calendar.has(value) || unitFactors.has(value)

type Source = { passageId: string | null }

const sourceOf = (value: number, cited: Evidence[], others: Evidence[], question: string): Source | undefined => {
  const holder = (passages: Evidence[]) => passages.find((passage) => isNumberIn(value, [passage]))
  const found = holder(cited)
  if (found) return { passageId: found.id }
  if (isNumberIn(value, [asPassage(question)])) return { passageId: null }
  const other = isPlain(value) ? undefined : holder(others)
  return other && { passageId: other.id }
}

type DraftContext = { question: string; passages: readonly NumberedPassage[] }
type Calculated = { written: string; working?: Omit<Working, 'what'>; fault?: string }

const nameOf = (at: number): string => `${String.fromCharCode(97 + (at % 26))}${at < 26 ? '' : Math.floor(at / 26)}`

const calculated = async (
  text: string,
  decimals: string | undefined,
  piece: Piece,
  scene: DraftContext,
): Promise<Calculated> => {
  const read = await readFormula(text.trim())
  const raw = `{{${text}}}`
  if (read.kind === 'unworkable') return { written: raw, fault: `${raw} cannot be worked out: ${read.why}.` }
  const { question, passages } = scene
  const isCited = ({ n }: NumberedPassage): boolean => piece.marks.includes(n)
  const cited = passages.filter(isCited).map(({ passage }) => passage)
  const others = passages.filter((each) => !isCited(each)).map(({ passage }) => passage)
  const values = [...new Set(read.numbers)]
  const sources = new Map(values.map((value) => [value, sourceOf(value, cited, others, question)]))
  const written = figure(read.value, decimals === undefined ? undefined : Number(decimals))
  const stray = values.find((value) => !sources.get(value) && !isPlain(value))
  if (stray !== undefined)
    return { written, fault: `In ${raw} the number ${stray} stands neither in a passage nor in the question.` }
  if (!areInPassages(read.items, cited))
    return { written, fault: `What ${raw} counts must stand, each once, in what its sentence cites.` }
  const given = values.flatMap((value) => {
    const source = sources.get(value)
    return source ? [{ value, ...source }] : []
  })
  if (given.length + read.items.length === 0)
    return { written, fault: `${raw} uses no number that occurs in a passage or in the question.` }
  const inputs = given.map((input, at) => ({ name: nameOf(at), ...input }))
  const formula = read.named((value) => inputs.find((input) => input.value === value)?.name)
  return { written, working: { formula, inputs, result: read.value } }
}

type Worked = { text: string; workings: Working[]; faults: string[] }

export const withFigures = async (draft: string, scene: DraftContext): Promise<Worked> => {
  const found: { working: Omit<Working, 'what'>; at: number }[] = []
  const faults: string[] = []
  const pieces = piecesOf(draft)
  let text = ''
  let from = 0
  for (const match of draft.matchAll(calculation)) {
    const { 0: raw, 1: formula = '', 2: decimals, index } = match
    const piece = pieces.find((each) => each.from <= index && index < each.to)
    if (!piece || piece.form === 'code' || isInCodeSpan(piece.raw, index - piece.from)) continue
    const { written, working, fault } = await calculated(formula, decimals, piece, scene)
    text += draft.slice(from, index)
    if (working) found.push({ working, at: text.length })
    if (fault) faults.push(fault)
    text += written
    from = index + raw.length
  }
  text += draft.slice(from)
  const whole = piecesOf(text)
  const what = (at: number): string => whole.find((each) => each.from <= at && at < each.to)?.text ?? ''
  return { text, workings: found.map(({ working, at }) => ({ what: what(at), ...working })), faults }
}

/** Returns the faults of a draft, or null. A sentence with a calculation needs no citation. */
export const faultIn = async (draft: string, scene: DraftContext): Promise<string | null> => {
  const { text, workings, faults } = await withFigures(draft, scene)
  const known = new Set(scene.passages.map(({ n }) => n))
  const worked = new Set(workings.map(({ what }) => what))
  const isCited = (marks: number[]): boolean => marks.length > 0 && marks.every((n) => known.has(n))
  const uncited = piecesOf(text).filter(
    ({ text, marks }) => !isCited(marks) && !(marks.length === 0 && worked.has(text)),
  )
  const missing = uncited.map((piece) => `No passage that was given is cited by: ${piece.text}`)
  return [...faults, ...missing].join('\n') || null
}

export const sentencesIn = (text: string): number =>
  piecesOf(text).filter(({ form, leads }) => form === 'sentence' && !leads).length

export const toDraft = async (draft: string, scene: DraftContext): Promise<Drafted> => {
  const { text, workings } = await withFigures(draft.trim(), scene)
  const used = new Set(piecesOf(text).flatMap(({ marks }) => marks))
  const citations = scene.passages.flatMap(({ n, passage }) => (used.has(n) ? [{ n, passageId: passage.id }] : []))
  return { kind: 'written', text, citations, ...(workings.length > 0 && { workings }) }
}

/** Streams a draft up to its first calculation. `finish` sends the rest, with the results of the calculations. */
export const deltaReporter = (onDelta: (text: string) => void) => {
  let received = ''
  let sent = 0
  const report = (text: string): void => {
    if (text.length > sent) onDelta(text.slice(sent))
    sent = Math.max(sent, text.length)
  }
  return {
    hear: (piece: string): void => {
      received += piece
      const open = received.trimStart().indexOf('{')
      report(open === -1 ? received.trim() : received.trimStart().slice(0, open))
    },
    finish: report,
  }
}

/** Early checks start after this time, because a draft that is complete sooner gains nothing from them. */
const shortDraftMs = 150
/** The minimum time between two parses of the draft, because tokens arrive faster than sentences. */
const betweenPartsMs = 50

/** Reports the complete sentences at the beginning of a draft, up to the first fault, such as a missing citation. */
export const partReporter = (scene: DraftContext, onPart: (part: DraftPart) => void) => {
  let longest = 0
  let notBefore: number | undefined
  const report = async (raw: string): Promise<void> => {
    const closed = closedPart(raw, longest)
    if (closed.text.length <= longest) return
    longest = closed.text.length
    if ((await faultIn(closed.text, scene)) !== null) return
    const worked = await Promise.all(closed.ends.map((end) => withFigures(raw.slice(0, end), scene)))
    const written = await toDraft(closed.text, scene)
    if (written.kind !== 'written') return
    const { text, citations, workings = [] } = written
    onPart({ text, citations, workings, ends: worked.map((part) => part.text.length) })
  }
  return (text: string): void => {
    const now = performance.now()
    notBefore ??= now + shortDraftMs
    if (now < notBefore) return
    notBefore = now + betweenPartsMs
    void report(text.trimStart()).catch(() => {})
  }
}

const height = ({ grade }: Evidence): number =>
  grade ? { high: 2, medium: 1, low: 0 }[grade.level] + grade.confidence / 2 : 0

const bestShown = 3

/** Lists the grades of the passages after the quoted passages, so that the quotes are the same for every draft. */
export const gradeNotes = (passages: readonly NumberedPassage[]): string => {
  const graded = passages.filter(({ passage }) => passage.grade?.relevant)
  const best = [...graded].sort((a, b) => height(b.passage) - height(a.passage)).slice(0, bestShown)
  const noteFor = (what: string, some: readonly NumberedPassage[]): string =>
    some.length === 0 ? '' : ` ${what}: ${some.map(({ n }) => n).join(', ')}.`
  return [
    noteFor('Most relevant passages', best),
    noteFor(
      'Outdated, so used only for what held before',
      passages.filter(({ passage }) => passage.grade?.outdated || passage.amendedBy !== undefined),
    ),
    noteFor(
      'Of low authority',
      passages.filter(({ passage }) => passage.grade?.authority === 'low'),
    ),
  ].join('')
}
