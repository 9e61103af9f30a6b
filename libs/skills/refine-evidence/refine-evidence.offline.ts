import { coverage, sentences, subjectWords, words } from '@plumbline/knowledge/text'
import type { RefineEvidence } from './refine-evidence'

export const offlineRefineEvidence: RefineEvidence = ({ question, passage }) =>
  Promise.resolve(sentences(passage.text).filter((strip) => coverage(subjectWords(question), words(strip)) >= 0.3))
