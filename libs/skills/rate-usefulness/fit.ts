import { coverage, names, numbers, sentences, spans, withoutCitations, words, years } from '@plumbline/knowledge/text'
import { isRefusal } from '../check-claims/absence'
import { alternatives } from '../reading/choice'
import { needOf, satisfies } from '../reading/need'
import { thingOf } from '../wording/things'
import { isOtherThing } from './asked-thing'

const saysYesNo = /^(?:yes|no|both|neither)\b/i

/** How well an answer has the shape of what is asked, whatever it says: 0 not at all, 1 wholly. */
export const fit = (question: string, answer: string): number => {
  const text = withoutCitations(answer).trim()
  if (text === '' || sentences(text).every(isRefusal)) return 0
  const { want } = needOf(question)
  const brief = words(text).length <= 8 && spans(text).length <= 10
  if (want === 'yes-no') return saysYesNo.test(text) ? 1 : brief ? 0.2 : 0.5
  if (saysYesNo.test(text) && want !== 'choice') return 0.1
  const choices =
    want === 'choice' || /\bor\b|\bbetween\b.*\bwhich\b/i.test(question)
      ? (alternatives(question) ?? []).map((each) => words(each))
      : []
  const chosen = (choice: string[]): number => (brief ? coverage(words(text), choice) : coverage(choice, words(text)))
  if (choices.length > 0) return Math.max(...choices.map(chosen)) >= 0.5 || saysYesNo.test(text) ? 1 : 0.2
  if (!brief) return satisfies(text, want) ? Math.max(0.5, coverage(words(question), words(text))) : 0.3
  return briefFit(question, text)
}

/** A short answer repeats nothing of the question, so that only its form can tell. */
const briefFit = (question: string, text: string): number => {
  const { want } = needOf(question)
  const figure = numbers(text).some(({ raw }) => /\d/.test(raw))
  const year = years(text).length > 0
  const name = names(`It is ${text}`).length > 0
  if (spans(text).length <= 6 && isOtherThing(question, thingOf(text))) return 0.2
  const repeats = coverage(words(text), words(question)) > 0.6
  switch (want) {
    case 'when':
      return satisfies(text, 'when') ? 1 : 0.1
    case 'duration':
      return satisfies(text, 'duration') && !year ? 1 : figure ? 0.5 : 0.1
    case 'count':
      return figure || numbers(text).length > 0 ? (year ? 0.5 : 1) : 0.1
    case 'who':
      return name && !figure && spans(text).length <= 6 ? 0.9 : 0.2
    case 'where':
      return name && !figure ? 0.9 : 0.3
    default:
      return repeats ? 0.4 : year && !/\byear\b/i.test(question) ? 0.3 : figure ? 0.5 : 0.7
  }
}
