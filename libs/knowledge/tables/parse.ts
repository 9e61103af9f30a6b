import { requests, stem, stopWords, withoutCitations, words } from '../text'
import type { Asked, AskedKey, AskedLabel, AskedWord } from './asked'
import { keyMarks } from './key-marks'
import { labelMarks, unknownMarks } from './label-marks'
import { plainMarks } from './plain-marks'
import type { Mark, Mode } from './scene'
import { sceneOf } from './scene'
import type { Vocabulary } from './vocabulary'

type Group = {
  marks: Mark[]
  joins: boolean[]
  text: string
  rank: Asked['rank']
  sized: string | null
  ranked: string[]
  table: string | null
}

const highest = /\b(?:highest|greatest|largest|biggest|most|longest|maximum|max|top)\b/i
const lowest = /\b(?:lowest|smallest|least|fewest|shortest|minimum|min|bottom)\b/i
/** Said of a thing or of a measure: the word behind tells which. */
const size = /\b(?:greatest|largest|biggest|smallest|longest|shortest|top|bottom)\b\s*([\p{L}\p{N}_]*)/iu
const thing = /\b(?:which|what)\s+([\p{L}\p{N}_]+)/iu

const sizedIn = (text: string): string | null => {
  const match = size.exec(text)
  const behind = match?.[1]?.toLowerCase() ?? ''
  if (!match) return null
  return behind !== '' && !stopWords.has(behind) ? behind : (thing.exec(text)?.[1]?.toLowerCase() ?? '')
}
const rankedThing =
  /\bwhich ((?:[\p{L}-]+ )+?)(?:had|has|have|is|are|was|were|with|shows?|showed|reports?|reported|saw|recorded|reached|achieved)\b/iu
const rankedIn = (text: string): string[] => words(rankedThing.exec(text.replace(/\s+/g, ' '))?.[1] ?? '')

const rankWord =
  /^(?:highest|greatest|largest|biggest|most|longest|maximum|max|top|lowest|smallest|least|fewest|shortest|minimum|min|bottom|higher|lower|greater|larger|smaller|bigger|fewer|less)$/i

/** Of a row that is named, `the lowest temperature` is the column headed so, where there is one. */
const rankIn = (text: string, { context }: Vocabulary, named: boolean): Asked['rank'] => {
  const said = highest.exec(text) ?? lowest.exec(text)
  if (!said || (named && context.has(stem(said[0].toLowerCase())))) return null
  return highest.test(text) ? 'highest' : 'lowest'
}

const joinedBefore = (text: string, from: number, to: number): boolean =>
  /[,;]|\s[&/+]\s|\b(?:and|or|also|plus|versus|vs|than|with)\b/i.test(text.slice(from, to))

const marksOf = (text: string, vocabulary: Vocabulary, mode: Mode): { mark: Mark; joined: boolean }[] => {
  const scene = sceneOf(text, vocabulary, mode)
  const labels = labelMarks(scene)
  const keys = keyMarks(scene)
  const unknown = unknownMarks(
    scene,
    labels.some((mark) => mark.kind === 'label' && mark.label.keys.length > 0),
  )
  const marks = [...labels, ...keys, ...unknown, ...plainMarks(scene)].sort((a, b) => a.from - b.from)
  return marks.map((mark, at) => {
    const before = marks[at - 1]
    const from = before ? (scene.all[before.to - 1]?.end ?? 0) : 0
    return { mark, joined: before !== undefined && joinedBefore(text, from, scene.all[mark.from]?.start ?? 0) }
  })
}

/** A kind that comes back after another kind, behind an `and` or a comma, opens the next group. */
const grouped = (text: string, vocabulary: Vocabulary, mode: Mode): Group[] => {
  const marks = marksOf(
    text
      .replace(/\b(?:(?:in|from|of|to)\s+)?table\s+\d+(?:[.-]\d+)?/gi, '')
      .replace(/\b(?:as well as|along with|together with|in addition to)\b/gi, 'and'),
    vocabulary,
    mode,
  )
  const rank = rankIn(
    text,
    vocabulary,
    marks.some(({ mark }) => mark.kind === 'label' && mark.label.keys.length > 0),
  )
  const table = /\btable\s+(\d+(?:[.-]\d+)?)/i.exec(text)?.[1] ?? null
  const fresh = (): Group => ({
    marks: [],
    joins: [],
    text,
    rank,
    sized: sizedIn(text),
    ranked: rank === null ? [] : rankedIn(text),
    table,
  })
  const groups: Group[] = []
  let group = fresh()
  for (const { mark, joined } of marks) {
    if (
      mark.kind === 'metric' &&
      rankWord.test(mark.word.raw) &&
      !(rank === null && vocabulary.context.has(mark.word.stem))
    )
      continue
    const last = group.marks.at(-1)
    const again = last && last.kind !== mark.kind && group.marks.some(({ kind }) => kind === mark.kind)
    if (joined && again) {
      groups.push(group)
      group = fresh()
    }
    group.joins.push(joined && group.marks.length > 0)
    group.marks.push(mark)
  }
  return group.marks.length > 0 ? [...groups, group] : groups
}

/** Runs of one kind, cut at each `and`: the alternatives. */
const alternatives = <T>({ marks, joins }: Group, pick: (mark: Mark) => T | null): T[][] => {
  const found: T[][] = []
  marks.forEach((mark, at) => {
    const value = pick(mark)
    if (value === null) return
    const last = found.at(-1)
    const before = marks[at - 1]
    const joined = joins[at] && before !== undefined && pick(before) !== null
    if (last && !joined) last.push(value)
    else found.push([value])
  })
  return found
}

const range = (text: string, years: string[]): string[] => {
  const match = /(\d{4})\s?(?:-|–|to|through|until|and)\s?(\d{4})/i.exec(text)
  const [, from = '', to = ''] = match ?? []
  const between =
    /\bbetween\b/i.test(text) &&
    !/\b(?:chang|differ|increas|decreas|grow|grew|rise|rose|fall|fell|drop|improv)/i.test(text)
  const open = match && (!/and/i.test(match[0]) || between) && years.includes(from) && years.includes(to)
  const span = Number(to) - Number(from)
  return open && span > 1 && span <= 30 ? Array.from({ length: span + 1 }, (_, at) => String(Number(from) + at)) : years
}

/** More rows than anybody asks for at once. */
const mostRows = 256

/** Alternatives of nothing but weightless words are no metric of their own. */
const metricsOf = (group: Group): AskedWord[][] => {
  const all = alternatives<AskedWord>(group, (mark) => (mark.kind === 'metric' ? mark.word : null))
  const real = all.filter((words) => words.some(({ weight }) => weight >= 0.5))
  return real.length > 0 ? real : []
}

/** Numbers of one column are alternatives: `12 floors and 20 floors`. Those of several tell a row apart together. */
const keysOf = ({ marks }: Group): AskedKey[][] => {
  const keys = marks.flatMap((mark): AskedKey[] => (mark.kind === 'key' ? [mark.key] : []))
  const columns = [...Map.groupBy(keys, (key) => key.words.map(stem).sort().join(' ')).values()]
  return columns.reduce<AskedKey[][]>(
    (rows, some) =>
      rows.length === 0
        ? some.map((key) => [key])
        : rows.flatMap((row) => some.map((key) => [...row, key])).slice(0, mostRows),
    [],
  )
}

const askedOf = (group: Group): Asked => {
  const years = [...new Set(group.marks.flatMap((mark) => (mark.kind === 'year' ? [mark.year] : [])))]
  return {
    labels: alternatives<AskedLabel>(group, (mark) => (mark.kind === 'label' ? mark.label : null)),
    keys: keysOf(group),
    metrics: metricsOf(group),
    years: range(group.text, years),
    values: group.marks.flatMap((mark) => (mark.kind === 'value' ? [mark.quantity] : [])),
    rank: group.rank,
    sized: group.sized,
    ranked: group.ranked,
    table: group.table,
    text: group.text,
  }
}

const filled = (asked: Asked, from: Asked | undefined): Asked =>
  from === undefined
    ? asked
    : {
        ...asked,
        labels: asked.labels.length > 0 ? asked.labels : from.labels,
        keys: asked.keys.length > 0 ? asked.keys : from.keys,
        metrics: asked.metrics.length > 0 ? asked.metrics : from.metrics,
        years: asked.years.length > 0 ? asked.years : from.years,
      }

/** What a group leaves out it has from the one before, or else from the next: `1.2 in 2022 and 1.1 in 2023`. */
const completed = (groups: Asked[]): Asked[] => {
  const forward: Asked[] = []
  for (const asked of groups) forward.push(filled(asked, forward.at(-1)))
  return forward.reduceRight<Asked[]>((done, asked) => [filled(asked, done[0]), ...done], [])
}

const refersBack = /\b(?:its|it|their|there|they|this|that|these|those|same|also)\b/i

/** What a question asks for, or a sentence claims, in terms of rows, metrics and years. */
export const askedIn = (text: string, vocabulary: Vocabulary, mode: Mode): Asked[] => {
  const found: Asked[] = []
  for (const request of requests(withoutCitations(text))) {
    const here = completed(grouped(request, vocabulary, mode).map(askedOf))
    const [first, ...rest] = here
    const before = found.at(-1)
    const needs =
      first &&
      before &&
      (first.metrics.length === 0 || (first.labels.length + first.keys.length === 0 && refersBack.test(request)))
    found.push(...(needs ? [filled({ ...first, years: first.years }, { ...before, years: [] }), ...rest] : here))
  }
  return found.filter(
    ({ labels, keys, metrics, years }) => labels.length + keys.length + metrics.length + years.length > 0,
  )
}
