import { spans, stem } from '../text'
import type { Mark, Place, Scene } from './scene'
import { gap, givesUnit, inSlot, isAcronym, named, rawOf, take } from './scene'
import { labelToken } from './vocabulary'
import { fillers, genericStems, isSmall, modifiers, prepositions, reporting } from './word-lists'

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

const isCapital = ({ all, capitals, taken }: Scene, at: number): boolean =>
  capitals && !taken.has(at) && /^\p{Lu}\p{Ll}/u.test(all[at]?.raw ?? '') && !isSmall(all[at]?.token ?? '')
/** `Mexico City` where no caption and no header speaks of a city. */
const goesOn = (scene: Scene, at: number): boolean =>
  isCapital(scene, at) && !scene.vocabulary.context.has(stem(scene.all[at]?.token ?? ''))
/** `in East London` where `east` is a word of some caption and heads no column. */
const leadsIn = (scene: Scene, at: number): boolean =>
  isCapital(scene, at) &&
  inSlot(scene, at) &&
  !genericStems.has(stem(scene.all[at]?.token ?? '')) &&
  !scene.vocabulary.headers.has(stem(scene.all[at]?.token ?? ''))

/** A name that goes on beyond a row's name is another name: `New Mexico` is not `Mexico`. */
const widened = (scene: Scene, place: Place): Place => {
  let { from, to } = place
  while (from > 0 && /^[ -]$/.test(gap(scene, from)) && named(scene, from - 1)) from -= 1
  while (to < scene.all.length && /^[ -]$/.test(gap(scene, to)) && (named(scene, to) || goesOn(scene, to))) to += 1
  if (from > 0 && /^[ -]$/.test(gap(scene, from)) && leadsIn(scene, from - 1)) from -= 1
  return { from, to }
}

/** A row named by one word is meant by that very word; where the word also heads a column, by its capital. */
const isSame = (scene: Scene, at: number, raw: string): boolean => {
  const span = scene.all[at]
  const [only] = spans(raw)
  if (!span || !only || span.token !== only.token) return false
  return (
    !scene.vocabulary.context.has(stem(span.token)) ||
    !/^\p{Lu}/u.test(only.raw) ||
    (/^\p{Lu}/u.test(span.raw) && scene.capitals)
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

/** Who reports the figures is not what they are about: `did Acme report`, `Acme's figure for Oslo`. */
const isTeller = (scene: Scene, { from, to }: Place, labelled: boolean): boolean => {
  const known = scene.all.slice(from, to).every(({ token }) => scene.vocabulary.everything.has(stem(token)))
  if (/according to (?:the )?$/i.test(scene.text.slice(0, scene.all[from]?.start))) return true
  if (reporting.test(scene.all[to]?.token ?? '')) return labelled || known || scene.mode === 'question'
  const possessive = /^['’]/.test(scene.text.slice(scene.all[to - 1]?.end))
  return labelled && known && (possessive || !prepositions.has(scene.all[from - 1]?.token ?? ''))
}

const unheard = (scene: Scene, at: number): boolean => {
  const token = scene.all[at]?.token ?? ''
  const word = stem(token)
  return (
    inSlot(scene, at) &&
    /^\p{L}{3,}$/u.test(token) &&
    !isSmall(token) &&
    !genericStems.has(word) &&
    !modifiers.has(word) &&
    !(token.endsWith('ly') && /^\d/.test(scene.all[at + 1]?.token ?? '')) &&
    !scene.vocabulary.everything.has(word) &&
    !givesUnit(scene, token)
  )
}

/** Names that no table has a row for. */
export const unknownMarks = (scene: Scene, labelled: boolean): Mark[] => {
  const found: Mark[] = []
  for (let at = 0; at < scene.all.length; at += 1) {
    const { raw = '', token = '' } = scene.all[at] ?? {}
    const isUnheardOf = /\p{L}_\p{L}/u.test(raw) && !scene.vocabulary.everything.has(stem(token))
    const isName = (named(scene, at) && !isAcronym(raw)) || isUnheardOf
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
