import { maybeNoun, verbForms } from '../wording/verbs'
import { isPerson, isPlace, isRole, isWork } from './kinds'
import type { Mark } from './marks'

/** A part of a question that must be found first, from mark to mark (end open), and the question that finds it. */
export type Inner = {
  from: number
  to: number
  question: string
  /** Words of the outer question that stood inside. */
  after?: string
}

export const isBe = (lower: string): boolean => /^(?:is|are|was|were|be|been|am)$/.test(lower)
const singling = /^(?:most|first|last|only|official|largest|highest|lowest|biggest|smallest|\w{3,}est)$/
const said = (text: string, marks: Mark[], from: number, to: number): string =>
  text.slice(marks[from]?.start ?? 0, marks[to - 1]?.end ?? text.length)
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Where the phrase before its noun begins: an article and the plain words after it. */
const phraseStart = (marks: Mark[], noun: number): number => {
  let at = noun
  while (at > 0 && noun - at < 3 && marks[at - 1]?.kind === 'word') at -= 1
  if (marks[at - 1]?.kind === 'article') return at - 1
  return noun
}
const hasArticle = (marks: Mark[], from: number): boolean => marks[from]?.lower === 'the'

/** Which form the question's own verb still has to take after `at`: `did … become`, `is … named`. */
const awaited = (marks: Mark[], at: number): 'base' | 'participle' | 'none' => {
  const auxiliary = marks.findIndex(({ kind }) => kind === 'auxiliary')
  if (auxiliary < 0 || auxiliary > at) return 'none'
  const taken = marks.slice(auxiliary + 1, at).some(({ kind, lower }) => kind === 'verb' && !maybeNoun(lower))
  if (taken) return 'none'
  return isBe(marks[auxiliary]?.lower ?? '') ? 'participle' : 'base'
}

/** The end of a clause that begins at `from`: its verb and what belongs to it, up to the next verb of the question itself. */
const clauseEnd = (
  marks: Mark[],
  from: number,
  wanted: 'base' | 'participle' | 'none',
): { verb: number; end: number } | null => {
  const finite = ({ kind, lower }: Mark): boolean =>
    kind === 'auxiliary' || (kind === 'verb' && ['third', 'past'].some((form) => verbForms(lower).has(form as 'past')))
  let verb = marks.findIndex((mark, at) => at >= from && (mark.kind === 'stop' || finite(mark)))
  if (verb < 0 || marks[verb]?.kind === 'stop') verb = marks.findIndex((mark, at) => at > from && mark.kind === 'verb')
  if (verb < 0) return null
  let end = verb + 1
  if (marks[verb]?.kind === 'auxiliary') {
    while (marks[end]?.kind === 'auxiliary') end += 1
    const next = marks[end]
    const form = isBe(marks[verb]?.lower ?? '') || /^ha/.test(marks[verb]?.lower ?? '') ? 'participle' : 'base'
    if (next?.kind === 'verb' && (verbForms(next.lower).has(form) || verbForms(next.lower).has('ing'))) end += 1
  }
  for (; end < marks.length; end += 1) {
    const mark = marks[end]
    const before = marks[end - 1]
    if (!mark || mark.kind === 'stop' || (mark.lower === 'and' && marks[end + 1]?.lower.startsWith('#'))) break
    if (mark.kind === 'auxiliary' && before?.lower !== 'to') break
    if (mark.kind !== 'verb' || before?.kind === 'article' || before?.lower === 'to' || before?.lower === 'and')
      continue
    if (before?.kind === 'preposition' && maybeNoun(mark.lower)) continue
    const forms = verbForms(mark.lower)
    if (forms.has('past') && wanted !== 'base' && before?.kind !== 'relative') break
    if (wanted === 'base' && forms.has('base')) break
    if (wanted === 'participle' && forms.has('participle')) break
  }
  return { verb, end }
}

const who = (noun: string): string => (isPerson(noun) ? 'Who' : 'What')

/** `the director of X`, `the birthplace of #1`. */
const genitive = (text: string, marks: Mark[], noun: number): Inner | null => {
  if (marks[noun + 1]?.lower !== 'of' || !isRole(marks[noun]?.lower ?? '')) return null
  let name = noun + 2
  if (marks[name]?.kind === 'article') name += 1
  if (marks[name]?.kind !== 'name' || /['’]s$/.test(marks[name]?.text ?? '')) return null
  const from = phraseStart(marks, noun)
  if (marks[from]?.kind !== 'article' && marks[noun]?.lower !== 'birthplace') return null
  const inner = said(text, marks, from, name + 1).replace(/^(?:the|a|an)\s+/i, '')
  const be =
    marks[noun]?.lower.endsWith('s') && !marks[noun]?.lower.endsWith('ss') && marks[noun]?.lower !== 'headquarters'
      ? 'are'
      : 'is'
  return { from, to: name + 1, question: `${who(marks[noun]?.lower ?? '')} ${be} the ${inner}?` }
}

/** `Damerjog's country`. */
const possessive = (text: string, marks: Mark[], noun: number): Inner | null => {
  const owner = marks[noun - 1]
  if (owner?.kind !== 'name' || !/['’]s$/.test(owner.text)) return null
  const thing = marks[noun]?.text ?? ''
  if (!isRole(thing.toLowerCase())) return null
  const from = marks[noun - 2]?.kind === 'article' ? noun - 2 : noun - 1
  return {
    from,
    to: noun + 1,
    question: `${who(thing.toLowerCase())} is the ${thing} of ${said(text, marks, from, noun).replace(/['’]s$/, '')}?`,
  }
}

const telling = (marks: Mark[], from: number, to: number, least = Infinity): boolean =>
  marks.slice(from, to).some(({ kind, lower }) => kind === 'name' || singling.test(lower) || /\d/.test(lower)) ||
  marks.slice(from, to).filter(({ kind }) => kind === 'word' || kind === 'verb').length >= least

/** `the state where X is located`, `the company that built X`, `the state whose capital is X`. */
const relative = (text: string, marks: Mark[], noun: number): Inner | null => {
  const from = phraseStart(marks, noun)
  if (!hasArticle(marks, from)) return null
  let pronoun = noun + 1
  if (marks[pronoun]?.lower === ',') return null
  const preposition =
    marks[pronoun]?.kind === 'preposition' && marks[pronoun + 1]?.kind === 'relative' ? marks[pronoun] : undefined
  if (preposition) pronoun += 1
  if (marks[pronoun]?.kind !== 'relative') return null
  const clause = clauseEnd(marks, pronoun + 1, awaited(marks, from))
  const place = marks[pronoun]?.lower === 'where' && isPlace(marks[noun]?.lower ?? '')
  if (!clause || !telling(marks, pronoun + 1, clause.end, place ? 2 : Infinity)) return null
  const thing = said(text, marks, from, noun + 1).replace(/^the\s+/i, '')
  const rest = said(text, marks, pronoun + 1, clause.end)
  const done = { from, to: clause.end }
  const verb = marks[clause.verb]
  if (marks[pronoun]?.lower === 'whose') return { ...done, question: `Which ${thing}’s ${rest}?` }
  if (clause.verb === pronoun + 1) return { ...done, question: `Which ${thing} ${rest}?` }
  const placed = preposition?.text ?? (marks[pronoun]?.lower === 'where' ? 'in' : '')
  if (verb?.kind !== 'auxiliary')
    return { ...done, question: `What is the ${thing} ${said(text, marks, noun + 1, clause.end)}?` }
  const subject = said(text, marks, pronoun + 1, clause.verb)
  const predicate = clause.verb + 1 < clause.end ? ` ${said(text, marks, clause.verb + 1, clause.end)}` : ''
  return { ...done, question: capitalised(`${placed} which ${thing} ${verb.text} ${subject}${predicate}?`.trimStart()) }
}

/** `Where did the band form that made X?`: the verb of the question stands before the clause. */
const extraposed = (text: string, marks: Mark[], noun: number): Inner | null => {
  const from = phraseStart(marks, noun)
  const [verb, pronoun, next] = [marks[noun + 1], marks[noun + 2], marks[noun + 3]]
  const outer = verb?.kind === 'verb' && awaited(marks, from) === 'base' && verbForms(verb.lower).has('base')
  if (!hasArticle(marks, from) || !outer || !/^(?:that|which|who)$/.test(pronoun?.lower ?? '') || next?.kind !== 'verb')
    return null
  if (!telling(marks, noun + 3, marks.length) || marks.slice(noun).some(({ kind }) => kind === 'stop')) return null
  const thing = said(text, marks, from, noun + 1).replace(/^the\s+/i, '')
  return {
    from,
    to: marks.length,
    question: `Which ${thing} ${said(text, marks, noun + 3, marks.length)}?`,
    after: ` ${verb.text}`,
  }
}

/** `the country X is located in`, `the city X played for`: the pronoun is left out. */
const reduced = (text: string, marks: Mark[], noun: number): Inner | null => {
  const from = phraseStart(marks, noun)
  if (!hasArticle(marks, from) || from === 0 || isWork(marks[noun]?.lower ?? '')) return null
  const article = marks[noun + 1]?.kind === 'article' ? 1 : 0
  const name = noun + 1 + article
  if (marks[name]?.kind !== 'name' || /['’]s$/.test(marks[name]?.text ?? '')) return null
  const after = marks[name + 1]
  if (after?.kind !== 'auxiliary' && !(after?.kind === 'verb' && !verbForms(after.lower).has('base'))) return null
  const clause = clauseEnd(marks, name + 1, awaited(marks, from))
  if (clause?.verb !== name + 1) return null
  const thing = said(text, marks, from, noun + 1).replace(/^the\s+/i, '')
  const subject = said(text, marks, noun + 1, name + 1)
  const predicate = said(text, marks, name + 2, clause.end)
  const rest = clause.end > name + 2 ? ` ${predicate}` : ''
  const where = isPlace(marks[noun]?.lower ?? '') && marks[clause.end - 1]?.kind === 'verb' ? 'In which' : 'Which'
  const question =
    after.kind === 'auxiliary'
      ? `${where} ${thing} ${after.text} ${subject}${rest}?`
      : `What is the ${thing} ${subject} ${after.text}${rest}?`
  return { from, to: clause.end, question }
}

/** `the sandwich named for #1`, `the country premiering X`. */
const participial = (text: string, marks: Mark[], noun: number): Inner | null => {
  const from = phraseStart(marks, noun)
  const verb = marks[noun + 1]
  if (!hasArticle(marks, from) || verb?.kind !== 'verb') return null
  const forms = verbForms(verb.lower)
  const passive = forms.has('participle') && marks[noun + 2]?.kind === 'preposition'
  if (!passive && !forms.has('ing')) return null
  let name = noun + (passive ? 3 : 2)
  if (marks[name]?.kind === 'article') name += 1
  if (marks[name]?.kind !== 'name') return null
  const thing = said(text, marks, from, noun + 1).replace(/^the\s+/i, '')
  return { from, to: name + 1, question: `Which ${thing} is ${said(text, marks, noun + 1, name + 1)}?` }
}

/** `the region with the highest X in 2022`. */
export const superlative = (text: string, marks: Mark[], noun: number): Inner | null => {
  const from = phraseStart(marks, noun)
  const has = marks[noun + 1]?.lower === 'with' || marks[noun + 1]?.lower === 'having'
  if (
    !hasArticle(marks, from) ||
    !has ||
    marks[noun + 2]?.lower !== 'the' ||
    !singling.test(marks[noun + 3]?.lower ?? '')
  )
    return null
  let to = noun + 4
  const wanted = awaited(marks, from)
  while (
    to < marks.length &&
    marks[to]?.kind !== 'stop' &&
    marks[to]?.kind !== 'auxiliary' &&
    !(wanted === 'base' && verbForms(marks[to]?.lower ?? '').has('base'))
  )
    to += 1
  const thing = said(text, marks, from, noun + 1).replace(/^the\s+/i, '')
  return { from, to, question: `Which ${thing} has ${said(text, marks, noun + 2, to)}?` }
}

/** `of the largest planet`, `discovered the oldest moon of X`, `was the oldest moon of X discovered`: asked of the one that stands out. */
const outstanding = (text: string, marks: Mark[], noun: number): Inner | null => {
  const [word, article, before] = [marks[noun - 1], marks[noun - 2], marks[noun - 3]]
  if (article?.lower !== 'the' || !/^(?!forest|interest|request|harvest|\w*west)\w{3,}est$/.test(word?.lower ?? ''))
    return null
  const of = /^(?:of|in)$/.test(marks[noun + 1]?.lower ?? '')
  const name = noun + (marks[noun + 2]?.kind === 'article' ? 3 : 2)
  const to = of && marks[name]?.kind === 'name' ? name + 1 : noun + 1
  const asked =
    before?.kind === 'preposition' ||
    before?.kind === 'verb' ||
    (before?.kind === 'auxiliary' && marks[to]?.kind === 'verb')
  if (!asked) return null
  return { from: noun - 2, to, question: `Which ${said(text, marks, noun, to)} is the ${word?.text ?? ''}?` }
}

export const patterns = [genitive, possessive, superlative, outstanding, extraposed, relative, reduced, participial]
