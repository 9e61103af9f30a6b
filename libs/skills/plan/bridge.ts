import { isBe, patterns, superlative } from './inner'
import type { Inner } from './inner'
import { isKind } from './kinds'
import { marksOf } from './marks'
import { verbForms } from '../wording/verbs'
import type { Mark } from './marks'

const asksOnlyThat =
  /^(?:(?:what|who|which|where)(?:['’]s|\s+(?:is|are|was|were))|(?:please\s+)?(?:name|list|give me|tell me|find|retrieve|show me|identify))\s+(?:the\s+)?(?:names?\s+(?:of\s+)?|title\s+of\s+)?#\d+\s*[?.!]*$/i

const wh = /^(?:what|which|who|whom|when|where|how)$/

/** The thing asked for must stay in the outer question, and a name's own description is nothing to be found first. */
const fits = (marks: Mark[], inner: Inner): boolean => {
  const inside = marks.slice(inner.from, inner.to).filter(({ lower }) => wh.test(lower))
  const before = marks[inner.from - 1]
  const asked = /^(?:what|which)$/.test(before?.lower ?? '') && marks[inner.from]?.kind !== 'article'
  if (inside.length > 1 || asked || before?.lower === 'as') return false
  const holder = marks[inner.from - 2]
  return !(isBe(before?.lower ?? '') && (holder?.kind === 'name' || (holder?.kind === 'relative' && inner.from > 2)))
}
const unfinished = /\b(?:did|does|do|is|are|was|were)\s+#\d+\s*[?.!]*$|^#\d+\s*[?.!]*$/i

/** `the PUE of the region with the highest CFE in 2023`: the year at the end holds for both. */
const withYear = (outer: string, inner: string, tail: string): string => {
  const year = /\s(?:in|for|during)\s+(?:19|20)\d\d(?=\?$)/.exec(inner)?.[0]
  return year && tail === '' && !/\b(?:19|20)\d\d\b/.test(outer) && !/^(?:when|in which year|what year)\b/i.test(outer)
    ? outer.replace(/[?.!]*$/, (end) => `${year}${end}`)
    : outer
}

type Cut = { inner: string; outer: string }

/** The innermost part of a question that has to be found first, with the question that is left once it is known. */
const cutOnce = (question: string, placeholder: string, leaning: string | null): Cut | null => {
  const text = question.replace(/[?.!\s]+$/, '')
  const marks = marksOf(text)
  for (let noun = marks.length - 1; noun > 0; noun -= 1) {
    const mark = marks[noun]
    if (!mark || mark.kind === 'name' || !isKind(mark.lower)) continue
    for (const pattern of patterns) {
      const inner = pattern(text, marks, noun)
      if (!inner || !fits(marks, inner) || (leaning && !inner.question.includes(leaning))) continue
      const tail = text.slice(marks[inner.to - 1]?.end ?? text.length)
      const owned = /['’]s$/.test(marks[inner.to - 1]?.text ?? '') ? '’s' : ''
      const outer = `${text.slice(0, marks[inner.from]?.start ?? 0)}${placeholder}${owned}${inner.after ?? ''}${tail}${/[?.!]+\s*$/.exec(question)?.[0].trim() ?? '?'}`
      if (asksOnlyThat.test(outer.trim())) continue
      if (unfinished.test(outer) && !/^(?:what|who|which|where|when)\s+(?:is|are|was|were)\b/i.test(outer)) continue
      return { inner: inner.question, outer: pattern === superlative ? withYear(outer, inner.question, tail) : outer }
    }
  }
  return null
}

/** `He plays a sport that was founded when?`: the thing is asked for first, then what is asked of it. */
const askedLate = (question: string, placeholder: string): Cut | null => {
  const found =
    /^(\P{Lu}*\p{Lu}.*\s)(an?|another)\s+((?:\p{Ll}+\s+)?\p{Ll}+)\s+(?:that|which)\s+(.+?)\s+(when|where|how|what(?:\s+\p{Ll}+)?)\s*\?$/u.exec(
      question,
    )
  if (!found || opening.test(question)) return null
  const [, before = '', article = '', thing = '', told = '', wanted = ''] = found
  const subject = /^(?:is|are|was|were|has|have|had)\b/.test(told) || verbForms(told.split(' ')[0] ?? '').size > 0
  return {
    inner: `${before}which ${article === 'another' ? 'other ' : ''}${thing}?`,
    outer: subject ? `${placeholder} ${told} ${wanted}?` : `${told} ${placeholder} ${wanted}?`,
  }
}
const opening = /^(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|in which|of which)\b/i

/**
 * Steps that lead to a question's answer one by one: each later one holds `#k`, the answer of the step `k` it waits for. What else has to
 * be found but fits no second place is asked beside them.
 */
export const bridge = (
  question: string,
  first: number,
  maxSteps: number,
): { question: string; waitsFor: number | null }[] => {
  const steps: { question: string; waitsFor: number | null }[] = []
  let rest = question
    .replace(/\bbirth place\b|\bplace of birth\b/gi, 'birthplace')
    .replace(/\bplace of death\b/gi, 'deathplace')
  let waitsFor: number | null = null
  const late = maxSteps > 1 ? askedLate(rest, `#${first}`) : null
  if (late) {
    const before = bridge(late.inner, first, maxSteps - 1)
    const last = first + before.length - 1
    return [...before, { question: late.outer.replace(`#${first}`, `#${last}`), waitsFor: last }]
  }
  while (steps.length + 1 < maxSteps) {
    const cut = cutOnce(rest, `#${first + steps.length}`, waitsFor === null ? null : `#${waitsFor}`)
    if (!cut) break
    steps.push({ question: cut.inner, waitsFor })
    waitsFor = first + steps.length - 1
    rest = cut.outer
  }
  const beside = steps.length > 0 && steps.length + 1 < maxSteps ? cutOnce(rest, '#', null)?.inner : undefined
  return [
    ...steps,
    { question: rest, waitsFor },
    ...(beside?.includes('#') === false ? [{ question: beside, waitsFor: null }] : []),
  ]
}
