import { isBe, patterns, superlative } from './inner'
import type { Inner } from './inner'
import { isKind } from './kinds'
import { marksOf } from './marks'
import type { Mark } from './marks'

const asksOnlyThat = /^(?:(?:what|who|which|where)(?:['’]s|\s+(?:is|are|was|were))|(?:please\s+)?(?:name|list|give me|tell me|find|retrieve|show me|identify))\s+(?:the\s+)?(?:names?\s+(?:of\s+)?|title\s+of\s+)?#\d+\s*[?.!]*$/i

const wh = /^(?:what|which|who|whom|when|where|how)$/

/** The thing asked for must stay in the outer question, and a name's own description is nothing to be found first. */
const fits = (marks: Mark[], inner: Inner): boolean => {
  const inside = marks.slice(inner.from, inner.to).filter(({ lower }) => wh.test(lower))
  const before = marks[inner.from - 1]
  if (inside.length > 1 || /^(?:what|which)$/.test(before?.lower ?? '') || before?.lower === 'as') return false
  const holder = marks[inner.from - 2]
  return !(isBe(before?.lower ?? '') && (holder?.kind === 'name' || (holder?.kind === 'relative' && inner.from > 2)))
}
const unfinished = /\b(?:did|does|do|is|are|was|were)\s+#\d+\s*[?.!]*$|^#\d+\s*[?.!]*$/i

/** `the PUE of the region with the highest CFE in 2023`: the year at the end holds for both. */
const withYear = (outer: string, inner: string, tail: string): string => {
  const year = /\s(?:in|for|during)\s+(?:19|20)\d\d(?=\?$)/.exec(inner)?.[0]
  return year && tail === '' && !/\b(?:19|20)\d\d\b/.test(outer) && !/^(?:when|in which year|what year)\b/i.test(outer) ? outer.replace(/[?.!]*$/, (end) => `${year}${end}`) : outer
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
      const outer = `${text.slice(0, marks[inner.from]?.start ?? 0)}${placeholder}${owned}${tail}${/[?.!]+\s*$/.exec(question)?.[0].trim() ?? '?'}`
      if (asksOnlyThat.test(outer.trim())) continue
      if (unfinished.test(outer) && !/^(?:what|who|which|where|when)\s+(?:is|are|was|were)\b/i.test(outer)) continue
      return { inner: inner.question, outer: pattern === superlative ? withYear(outer, inner.question, tail) : outer }
    }
  }
  return null
}

/** Steps that lead to a question's answer one by one: each later one holds `#k`, the answer of the step `k` it waits for. */
export const bridge = (question: string, first: number, maxSteps: number): { question: string; waitsFor: number | null }[] => {
  const steps: { question: string; waitsFor: number | null }[] = []
  let rest = question.replace(/\bbirth place\b|\bplace of birth\b/gi, 'birthplace')
  let waitsFor: number | null = null
  while (steps.length + 1 < maxSteps) {
    const cut = cutOnce(rest, `#${first + steps.length}`, waitsFor === null ? null : `#${waitsFor}`)
    if (!cut) break
    steps.push({ question: cut.inner, waitsFor })
    waitsFor = first + steps.length - 1
    rest = cut.outer
  }
  return [...steps, { question: rest, waitsFor }]
}
