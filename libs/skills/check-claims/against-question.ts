import type { Evidence } from '@plumbline/contracts'
import { coverage, fold, subjectWords, words, years } from '@plumbline/knowledge/text'
import { alternatives } from '../reading/choice'
import { unitsOf } from '../reading/units'
import { nameRuns } from '../wording/name-runs'
import type { Finding } from './verdict'
import { contradicted, supported, unsupported } from './verdict'

const yesNo = /^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would)\b/i
const says = /^\s*(yes|no)\b/i
const earlier = /\b(?:first|earlier|earliest|older|oldest|before)\b/i
const later = /\b(?:last|later|latest|younger|youngest|newer|newest|more recent(?:ly)?)\b/i

/** What passages say of one thing: the sentences that name it, and those after them until another of the things is named. */
type Told = { name: string; text: string; year: string | undefined }

const toldOf = (names: string[], passages: Evidence[]): Told[] => {
  const own = names.map((name) => [...new Set(words(name))])
  const told = names.map((name): Told => ({ name, text: '', year: undefined }))
  for (const passage of passages) {
    let at = -1
    for (const { text, kind } of unitsOf(passage)) {
      if (kind === 'row') continue
      const said = words(text)
      const shares = own.map((name) => coverage(name, said))
      const best = shares.indexOf(Math.max(...shares))
      if ((shares[best] ?? 0) >= 0.6) at = best
      const here = told[at]
      if (!here) continue
      here.text += `\n${text}`
      here.year ??= years(text)[0]
    }
  }
  return told
}

const without = (question: string, names: string[]): string[] => {
  const named = new Set(names.flatMap((name) => words(name)))
  return [...new Set(subjectWords(question))].filter((word) => !named.has(word))
}

/** Which of two things a claim picks: the one it names, or names first. */
const pickedBy = (claim: string, names: string[]): number => {
  const said = words(claim)
  const shares = names.map((name) => coverage(words(name), said))
  const [a = 0, b = 0] = shares
  if (Math.max(a, b) < 0.5) return -1
  if (Math.abs(a - b) >= 0.3) return a > b ? 0 : 1
  const [first = '', second = ''] = names.map((name) => fold(name))
  const [atA, atB] = [fold(claim).indexOf(first), fold(claim).indexOf(second)]
  return atA < 0 || atB < 0 || /\b(?:both|neither|same|and)\b/i.test(claim) ? -1 : atA < atB ? 0 : 1
}

const byTime = (question: string, told: Told[]): { right: number; reason: string } | null => {
  const [a, b] = told
  const first = earlier.test(question)
  if (!a?.year || !b?.year || a.year === b.year || first === later.test(question)) return null
  return {
    right: a.year < b.year === first ? 0 : 1,
    reason: `The passages give ${a.year} for ${a.name} and ${b.year} for ${b.name}.`,
  }
}

const byWords = (question: string, told: Told[]): { right: number; reason: string } | null => {
  const asked = without(
    question,
    told.map(({ name }) => name),
  )
  const [a = 0, b = 0] = told.map(({ text }) => coverage(asked, words(text)))
  if (asked.length === 0 || Math.abs(a - b) < 0.34) return null
  const right = a > b ? 0 : 1
  return { right, reason: `The passages say that of ${told[right]?.name ?? ''}.` }
}

/** What is told of one side (`A was founded in 1921`) chooses nothing: a choice names a side, or repeats what is asked of both. */
const chooses = (question: string, claim: string, names: string[]): boolean => {
  const said = words(claim)
  const bare = names.some((name) => coverage(said, words(name)) === 1)
  const timed = earlier.test(question) || later.test(question)
  return (
    bare ||
    (coverage(said, words(question)) >= 0.75 &&
      years(claim).length === 0 &&
      (!timed || earlier.test(claim) || later.test(claim)))
  )
}

const ofChoice = (question: string, claim: string, names: string[], passages: Evidence[]): Finding | null => {
  const picked = pickedBy(claim, names)
  const told = toldOf(names, passages)
  if (picked < 0 || !chooses(question, claim, names) || told.some(({ text }) => text === '')) return null
  const truth =
    byTime(question, told) ?? (earlier.test(question) || later.test(question) ? null : byWords(question, told))
  if (!truth) return null
  const id = passages[0]?.id ?? null
  return truth.right === picked ? supported(truth.reason, id) : contradicted(truth.reason, id)
}

/** A name ends where the passages end it: `Kings of Leon American rock bands`. */
const standing = (text: string, passages: Evidence[]): string => {
  const source = fold(passages.map(({ title, text: said }) => `${title}\n${said}`).join('\n'))
  const all = text.trim().split(/\s+/)
  for (let length = all.length; length > 0; length -= 1) {
    const name = all
      .slice(0, length)
      .join(' ')
      .replace(/[?,.]+$/, '')
    if (source.includes(fold(name.replace(/^the\s+/i, '')))) return name
  }
  return all.join(' ')
}

/** Of whom a yes-or-no question asks. */
const subjectsOf = (question: string, passages: Evidence[]): string[] => {
  const body = question.trim().replace(yesNo, '').trim()
  const two = /^(?:both\s+)?(.+?)\s+and\s+(.+?)(?:\s+both\s.*)?\?*$/i.exec(body)
  if (two?.[1] && two[2]) return [standing(two[1], passages), standing(two[2], passages)]
  return nameRuns(body)
    .slice(0, 1)
    .map((name) => standing(name, passages))
}

/** Whether all that is asked of each thing stands with it; null where the words do not decide. */
const isSo = (question: string, names: string[], passages: Evidence[]): boolean | null => {
  if (/\bsame\b|\bor\b|\bmore\b|\w+er than\b/i.test(question)) return null
  const asked = without(question, names)
  const shares = toldOf(names, passages).map(({ text }) => coverage(asked, words(text)))
  if (asked.length === 0 || shares.length === 0) return null
  return shares.every((share) => share >= 0.99) ? true : shares.some((share) => share < 0.67) ? false : null
}

const ofYesNo = (question: string, said: boolean, passages: Evidence[]): Finding => {
  const names = subjectsOf(question, passages).filter((name) => words(name).length > 0)
  const so = isSo(question, names, passages)
  const id = passages[0]?.id ?? null
  if (so === null)
    return { ...unsupported('The words of the passages do not show whether that is so.', id), confidence: 0.5 }
  const reason = `The passages ${so ? 'say it of' : 'do not say it of'} ${names.length > 1 ? 'all of ' : ''}${names.join(', ')}.`
  return so === said ? { ...supported(reason, id), confidence: 0.6 } : { ...contradicted(reason, id), confidence: 0.6 }
}

/** A bare `yes` or `no` says what the question says. */
export const isBareReply = (claim: string): boolean => /^(?:yes|no)[.!,\s]*$/i.test(claim.trim())

/** What a claim says only together with its question: yes or no, or the one of two things. Null where that decides nothing. */
export const againstQuestion = (question: string, claim: string, passages: Evidence[]): Finding | null => {
  const names = alternatives(question)
  if (names) return ofChoice(question, claim, names, passages)
  const reply = says.exec(claim)?.[1]?.toLowerCase()
  if (!reply || !yesNo.test(question.trim())) return null
  const finding = ofYesNo(question, reply === 'yes', passages)
  return isBareReply(claim) || (finding.verdict === 'contradicted' && /\bboth\b/i.test(question)) ? finding : null
}
