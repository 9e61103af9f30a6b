import type { Quantity, Span } from '../text'
import { askWords, numbers, spans, stem, stopWords } from '../text'
import type { AskedLabel, AskedWord } from './asked'
import type { Vocabulary } from './vocabulary'
import { labelToken } from './vocabulary'

/** `question`: numbers belong to what is asked. `claim`: numbers are what is said of it. */
export type Mode = 'question' | 'claim'
type Place = { from: number; to: number }
export type Mark = Place &
  (
    | { kind: 'label'; label: AskedLabel }
    | { kind: 'metric'; word: AskedWord }
    | { kind: 'year'; year: string }
    | { kind: 'value'; quantity: Quantity }
  )

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))
/** Nouns that stand beside nearly any measure or place: left out or put in, the thing asked for is the same. */
const generic = set(`
  value figure number amount data metric measure statistic result percentage percent share rate ratio level unit center centre region site
  location city country area facility campus place entry row column table cell datum annual yearly year current type kind change changed
  difference increase decrease come look appear stand equal amounted long far old big tall high large
`)
/** Verbs of giving a figure: they matter only where a column is headed by one. */
const telling = new Set(
  [...set('published given recorded measured provided announced use used achieve achieved see saw post posted')].map(stem),
)
const genericStems = new Set([...generic].map(stem))
/** Words that make another measure of the same noun. */
const modifiers = new Set(
  [
    ...set(`average mean median total sum cumulative combined aggregate overall regional national global worldwide fleet fleetwide industry minimum
  maximum peak target planned estimated projected forecast expected monthly quarterly weekly daily primary secondary backup former adjusted net gross`),
  ].map(stem),
)
const prepositions = set('for in at of from')
const verbs = set('compare contrast calculate compute determine check quote extract collect obtain look summarize pull lookup')
const determiners = set('the a an me us all any its both each every how what which whether')
const reporting = /^(?:report|publish|disclos|stat|giv|gave|quot|list|record|announc|provid|claim|said|say)/

type Scene = {
  text: string
  all: Span[]
  vocabulary: Vocabulary
  mode: Mode
  capitals: boolean
  taken: Set<number>
  rows: Place[]
}

export const sceneOf = (text: string, vocabulary: Vocabulary, mode: Mode): Scene => {
  const all = spans(text)
  const capital = all.filter(({ raw }) => /^\p{Lu}/u.test(raw)).length
  return { text, all, vocabulary, mode, capitals: capital <= Math.max(3, 0.6 * all.length), taken: new Set(), rows: [] }
}

const gap = ({ text, all }: Scene, at: number): string => text.slice(all[at - 1]?.end ?? 0, all[at]?.start ?? text.length)
const ordinalOrNumber = (token: string): boolean => /^\d/.test(token) || /^(?:1st|2nd|3rd|[4-9]th)$/.test(labelToken(token))
const isYear = (token: string): boolean => /^(?:1[5-9]|20|21)\d\d$/.test(token)

const fillers = set('of the in at for a an de la')

/** The window of tokens from `at` that holds just these tokens, in any order, small words between them allowed. */
const windowOf = ({ all, taken }: Scene, at: number, wanted: readonly string[]): number | null => {
  const open = [...wanted]
  let to = at
  for (; open.length > 0 && to < all.length && to - at < wanted.length + 2; to += 1) {
    const token = all[to]?.token ?? ''
    const place = open.indexOf(labelToken(token))
    if (taken.has(to) || (place < 0 && (to === at || !fillers.has(token)))) return null
    if (place >= 0) open.splice(place, 1)
  }
  return open.length === 0 ? to : null
}

/** The name that starts or goes on here is followed by a verb of reporting. */
const reports = ({ all }: Scene, at: number): boolean => {
  const after = all.slice(at + 1).find(({ raw }) => !/^\p{Lu}/u.test(raw))
  return after !== undefined && reporting.test(after.token)
}

const named = (scene: Scene, at: number): boolean => {
  const span = scene.all[at]
  if (
    !span ||
    !scene.capitals ||
    scene.taken.has(at) ||
    stopWords.has(span.token) ||
    askWords.has(span.token) ||
    verbs.has(span.token)
  )
    return false
  if (!/^\p{Lu}/u.test(span.raw) || genericStems.has(stem(span.token))) return false
  if (scene.vocabulary.context.has(stem(span.token)) && !reports(scene, at)) return false
  return at > 0 || !determiners.has(scene.all[at + 1]?.token ?? '')
}

/** A name that goes on beyond a row's name is another name: `New Mexico` is not `Mexico`. */
const widened = (scene: Scene, place: Place): Place => {
  let { from, to } = place
  while (from > 0 && /^[ -]$/.test(gap(scene, from)) && named(scene, from - 1)) from -= 1
  while (to < scene.all.length && /^[ -]$/.test(gap(scene, to)) && named(scene, to)) to += 1
  return { from, to }
}

const rawOf = ({ text, all }: Scene, { from, to }: Place): string => {
  const raw = text.slice(all[from]?.start ?? 0, all[to - 1]?.end ?? 0)
  return text[all[to - 1]?.end ?? 0] === ')' && raw.includes('(') ? `${raw})` : raw
}

const take = (scene: Scene, { from, to }: Place): void => {
  for (let at = from; at < to; at += 1) scene.taken.add(at)
}

/** A row named by one word is meant by that very word; where the word also heads a column, by its capital. */
const isSame = (scene: Scene, at: number, raw: string): boolean => {
  const span = scene.all[at]
  const [only] = spans(raw)
  if (!span || !only || span.token !== only.token) return false
  return (
    !scene.vocabulary.context.has(stem(span.token)) || !/^\p{Lu}/u.test(only.raw) || (/^\p{Lu}/u.test(span.raw) && scene.capitals)
  )
}

export const labelMarks = (scene: Scene): Mark[] => {
  const found: Mark[] = []
  for (const form of [...scene.vocabulary.labels].sort(
    (a, b) => Number(a.part) - Number(b.part) || b.tokens.length - a.tokens.length,
  )) {
    if (!form.tokens.some((token) => /\p{L}/u.test(token))) continue
    for (let at = 0; at < scene.all.length; at += 1) {
      const to = windowOf(scene, at, form.tokens)
      if (to === null || (form.tokens.length === 1 && !isSame(scene, at, form.raw))) continue
      const place = widened(scene, { from: at, to })
      const same = place.from === at && place.to === to
      const keys = scene.vocabulary.labels
        .filter(({ tokens }) => tokens.join(' ') === form.tokens.join(' '))
        .map(({ key }) => key)
      take(scene, place)
      scene.rows.push(place)
      found.push({
        kind: 'label',
        ...place,
        label: { raw: rawOf(scene, place), tokens: form.tokens, keys: same ? [...new Set(keys)] : [] },
      })
    }
  }
  return found
}

const inSlot = ({ all }: Scene, at: number): boolean => {
  const before = all[at - 1]?.token ?? ''
  return prepositions.has(before) || (before === 'the' && prepositions.has(all[at - 2]?.token ?? ''))
}

/** Who reports the figures is not what they are about: `did Acme report`, `Acme's figure for Oslo`. */
const isTeller = (scene: Scene, { from, to }: Place, labelled: boolean): boolean => {
  if (reporting.test(scene.all[to]?.token ?? '') || /according to (?:the )?$/i.test(scene.text.slice(0, scene.all[from]?.start)))
    return true
  const possessive = /^['’]/.test(scene.text.slice(scene.all[to - 1]?.end))
  const known = scene.all.slice(from, to).every(({ token }) => scene.vocabulary.everything.has(stem(token)))
  return labelled && known && (possessive || !prepositions.has(scene.all[from - 1]?.token ?? ''))
}

const acronym = (raw: string): boolean => /^\p{Lu}{2,6}s?$/u.test(raw) || /_/.test(raw)

const unheard = (scene: Scene, at: number): boolean => {
  const token = scene.all[at]?.token ?? ''
  const word = stem(token)
  return (
    inSlot(scene, at) &&
    /^\p{L}{3,}$/u.test(token) &&
    !stopWords.has(token) &&
    !askWords.has(token) &&
    !genericStems.has(word) &&
    !modifiers.has(word) &&
    !scene.vocabulary.everything.has(word)
  )
}

/** Names that no table has a row for. */
export const unknownMarks = (scene: Scene, labelled: boolean): Mark[] => {
  const found: Mark[] = []
  for (let at = 0; at < scene.all.length; at += 1) {
    const isName = named(scene, at) && !acronym(scene.all[at]?.raw ?? '')
    if (scene.taken.has(at) || !(isName || (scene.mode === 'question' && unheard(scene, at)))) continue
    const place = widened(scene, { from: at, to: at + 1 })
    if (!isTeller(scene, place, labelled)) {
      const tokens = scene.all.slice(place.from, place.to).map(({ token }) => labelToken(token))
      found.push({ kind: 'label', ...place, label: { raw: rawOf(scene, place), tokens, keys: [] } })
    }
    take(scene, place)
  }
  return found
}

const moving =
  /^(?:ris|rose|fall|fell|increas|decreas|improv|declin|drop|gr[eo]w|stood|stand|stay|remain|reach|amount|climb|worsen|jump|shr[au]nk|doubl|halv|averag|exceed|equal|hit|dip|slip|total|differ)/

/** Neither a small word nor a word of the tables nor a verb of figures. */
const isPlain = ({ all, taken, vocabulary }: Scene, at: number): boolean => {
  const { token = '' } = all[at] ?? {}
  const word = stem(token)
  return !(
    stopWords.has(token) ||
    askWords.has(token) ||
    taken.has(at) ||
    vocabulary.context.has(word) ||
    telling.has(word) ||
    moving.test(token)
  )
}

/** Words that lean on a row's name without a small word between make another row of it: `of Oslo west quay`. */
const qualifies = (scene: Scene, at: number): boolean => {
  const leans = (from: number, to: number): boolean =>
    scene.all
      .slice(from, to)
      .every((_, step) => isPlain(scene, from + step) && (step === 0 || /^[ -]$/.test(gap(scene, from + step))))
  return scene.rows.some(({ from, to }) =>
    at >= to
      ? at - to < 4 && inSlot(scene, from) && leans(to, at + 1) && /^[ -]$/.test(gap(scene, to))
      : from - at < 3 && from > at && inSlot(scene, at) && leans(at, from) && /^[ -]$/.test(gap(scene, from)),
  )
}

const quantityAt = ({ text, all }: Scene, at: number): Quantity | undefined => {
  const span = all[at]
  if (!span) return undefined
  const sign = /(?:[$€£]\s?)?(?<!\p{L})[-−+]?$/u.exec(text.slice(0, span.start))?.[0] ?? ''
  const own = text.slice(span.start, span.end + 24).split(/\s(?:to|and|or)\s|[–-]\d/)[0] ?? ''
  return numbers(sign + own)[0]
}

const weightOf = (word: string, strong: boolean): number =>
  strong ? 3 : genericStems.has(word) ? 0.2 : telling.has(word) ? 0.5 : 1

const wordOf = (scene: Scene, at: number): AskedWord => {
  const { raw, token } = scene.all[at] ?? { raw: '', token: '' }
  const word = stem(token)
  const strong = acronym(raw)
  const capital = scene.capitals && at > 0 && /\p{Lu}/u.test(raw)
  const critical = strong || capital || modifiers.has(word) || ordinalOrNumber(token) || qualifies(scene, at)
  return {
    stem: ordinalOrNumber(token) ? labelToken(token) : word,
    raw,
    weight: weightOf(word, strong),
    critical: critical && !genericStems.has(word),
  }
}

/** The unit a header gives in brackets, `(10^24 kg)`: quoted with the header, its figures are no values. */
const bracketedUnits = ({ text, vocabulary }: Scene): Place[] =>
  Array.from(text.matchAll(/\([^()]*\d[^()]*\)/g), ({ 0: unit, index }) => ({ unit, from: index, to: index + unit.length })).filter(({ unit }) =>
    vocabulary.tables.some(({ columns }) => columns.some(({ header }) => header.includes(unit))),
  )

/** Years, values and the words of the metric. */
export const plainMarks = (scene: Scene): Mark[] => {
  const units = bracketedUnits(scene)
  return plainTokens(scene).filter(({ from }) => {
    const { token = '', start = 0 } = scene.all[from] ?? {}
    return !/^\d/.test(token) || !units.some((unit) => start > unit.from && start < unit.to)
  })
}

const plainTokens = (scene: Scene): Mark[] =>
  scene.all.flatMap((span, at): Mark[] => {
    const place = { from: at, to: at + 1 }
    if (scene.taken.has(at)) return []
    const quantity =
      /^\d/.test(span.token) && !/\p{L}-$/u.test(scene.text.slice(0, span.start)) ? quantityAt(scene, at) : undefined
    if (isYear(span.token) && !span.raw.includes(',') && (!quantity || quantity.unit === ''))
      return [{ kind: 'year', ...place, year: span.token }]
    if (scene.mode === 'claim' && quantity && quantity.unit !== 'th') return [{ kind: 'value', ...place, quantity }]
    if (stopWords.has(span.token) || askWords.has(span.token) || verbs.has(span.token) || !/[\p{L}\p{N}]/u.test(span.token))
      return []
    return [{ kind: 'metric', ...place, word: wordOf(scene, at) }]
  })
