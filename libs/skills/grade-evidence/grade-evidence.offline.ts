import { coverage, subjectWords, words } from '@plumbline/knowledge/text'
import type { GradeEvidence } from './grade-evidence'

export const offlineGradeEvidence: GradeEvidence = ({ question, passage, strictness }) => {
  const share = coverage(subjectWords(question), words([passage.title, ...passage.headingPath, passage.text].join(' ')))
  const bar = { lenient: 0.3, normal: 0.4, strict: 0.6 }[strictness]
  const level = share >= 0.75 ? 'high' : share >= 0.5 ? 'medium' : 'low'
  return Promise.resolve({ relevant: share >= bar, level, confidence: Math.abs(share - bar), reason: `${Math.round(share * 100)} % of the asked words stand in it.` })
}
