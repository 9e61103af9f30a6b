import { coverage, numbers, sentences, withoutCitations, words } from '@plumbline/knowledge/text'
import type { Claim } from '@plumbline/contracts'
import type { CheckClaims } from './check-claims'

export const offlineCheckClaims: CheckClaims = ({ text, citations, evidence }) =>
  Promise.resolve(
    sentences(text).map((sentence): Claim => {
      const cited = citations.filter(({ n }) => sentence.includes(`[${n}]`)).map(({ passageId }) => passageId)
      const claim = withoutCitations(sentence)
      const passage = evidence.find(({ id, text: source }) => cited.includes(id) && coverage(words(claim), words(source)) >= 0.6)
      const kind = numbers(claim).length > 0 ? 'number' : 'fact'
      return passage
        ? { text: claim, kind, verdict: 'supported', reason: 'Its words stand in the cited passage.', passageId: passage.id }
        : { text: claim, kind, verdict: 'unsupported', reason: 'No cited passage says this.', passageId: null }
    }),
  )
