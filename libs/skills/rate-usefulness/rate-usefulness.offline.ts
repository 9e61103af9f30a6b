import { coverage, subjectWords, words } from '@plumbline/knowledge/text'
import type { AnswerPart } from '@plumbline/contracts'
import type { RateUsefulness } from './rate-usefulness'

export const offlineRateUsefulness: RateUsefulness = ({ question, steps, text }) => {
  const parts = (steps.length > 0 ? steps : [question]).map((what): AnswerPart => ({
    what,
    outcome: /not reported|do not say/.test(text) ? 'not-in-documents' : coverage(subjectWords(what), words(text)) >= 0.5 ? 'answered' : 'missed',
  }))
  const answered = parts.filter(({ outcome }) => outcome === 'answered').length
  return Promise.resolve({ usefulness: 1 + Math.round((4 * answered) / parts.length), confidence: 0.5, parts, tooBroad: false })
}
