import type { Quantity } from '../text'
import { numbers, stem } from '../text'
import type { AskedWord } from './asked'
import type { Mark, Place, Scene } from './scene'
import { gap, givesUnit, inSlot, isAcronym, isYear, ordinalOrNumber } from './scene'
import { labelToken } from './vocabulary'
import { determiners, genericStems, isSmall, modifiers, moving, ofFigures, prepositions, telling } from './word-lists'

/** Neither a small word nor a word of the tables nor a verb of figures. */
const isPlain = ({ all, taken, vocabulary }: Scene, at: number): boolean => {
  const { token = '' } = all[at] ?? {}
  const word = stem(token)
  return !(isSmall(token) || taken.has(at) || vocabulary.context.has(word) || telling.has(word) || moving.test(token))
}

/** Words that lean on a row's name without a small word between make another row of it: `of Oslo west quay`. */
const qualifies = (scene: Scene, at: number): boolean => {
  const leans = (from: number, to: number): boolean =>
    scene.all
      .slice(from, to)
      .every((_, step) => isPlain(scene, from + step) && (step === 0 || /^[ -]$/.test(gap(scene, from + step))))
  const bracketed = scene.rows.some(
    ({ to }) =>
      at === to &&
      /^\s\($/.test(gap(scene, to)) &&
      isPlain(scene, at) &&
      !scene.vocabulary.everything.has(stem(scene.all[at]?.token ?? '')),
  )
  return (
    bracketed ||
    scene.rows.some(({ from, to }) =>
      at >= to
        ? at - to < 4 && inSlot(scene, from) && leans(to, at + 1) && /^[ -]$/.test(gap(scene, to))
        : from - at < 3 && from > at && inSlot(scene, at) && leans(at, from) && /^[ -]$/.test(gap(scene, from)),
    )
  )
}

/** A word that nobody here speaks of makes another measure of the one before which it stands: `the cooling PUE`. */
const narrows = (scene: Scene, at: number): boolean => {
  const { all, vocabulary, text, rows } = scene
  const [before, next] = [all[at - 1], all[at + 1]]
  const word = stem(all[at]?.token ?? '')
  if (
    !before ||
    !next ||
    !isPlain(scene, at) ||
    vocabulary.everything.has(word) ||
    genericStems.has(word) ||
    ofFigures.has(word)
  )
    return false
  const opens =
    determiners.has(before.token) ||
    prepositions.has(before.token) ||
    /['’]/.test(text.slice(before.start, all[at]?.start)) ||
    rows.some(({ to }) => to === at)
  return opens && gap(scene, at + 1) === ' ' && !scene.taken.has(at + 1) && vocabulary.context.has(stem(next.token))
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
  const strong = isAcronym(raw)
  const capital = scene.capitals && at > 0 && /\p{Lu}/u.test(raw)
  const critical =
    strong || capital || modifiers.has(word) || ordinalOrNumber(token) || qualifies(scene, at) || narrows(scene, at)
  return {
    stem: ordinalOrNumber(token) ? labelToken(token) : word,
    raw,
    weight: givesUnit(scene, token) || moving.test(token) || ofFigures.has(word) ? 0.2 : weightOf(word, strong),
    critical: critical && !genericStems.has(word),
  }
}

/** The unit a header gives in brackets, `(10^24 kg)`: quoted with the header, its figures are no values. */
const bracketedUnits = ({ text, vocabulary }: Scene): Place[] =>
  Array.from(text.matchAll(/\([^()]*\d[^()]*\)/g), ({ 0: unit, index }) => ({
    unit,
    from: index,
    to: index + unit.length,
  })).filter(({ unit }) => vocabulary.tables.some(({ columns }) => columns.some(({ header }) => header.includes(unit))))

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
    if (isSmall(span.token) || !/[\p{L}\p{N}]/u.test(span.token)) return []
    return [{ kind: 'metric', ...place, word: wordOf(scene, at) }]
  })
