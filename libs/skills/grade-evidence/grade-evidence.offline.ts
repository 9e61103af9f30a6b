import type { Grade, Level } from '@plumbline/contracts'
import { words } from '@plumbline/knowledge/text'
import type { GradeEvidence } from '../skill/skill'

/** This many top-ranked passages always count as relevant, because the search ranks better than the word count. */
const alwaysGood = 3

const levelOf = (share: number): Level => (share > 2 / 3 ? 'high' : 'medium')

export const offlineGradeEvidence: GradeEvidence = async ({ question, passages, against }, { signal }) => {
  signal.throwIfAborted()
  return passages.map((passage, at): Grade => {
    const asked = [...new Set(words((against === 'query' && passage.query) || question))]
    const held = new Set(words([passage.title, ...passage.headingPath, passage.text].join('\n')))
    const shared = asked.filter((word) => held.has(word)).length
    const share = asked.length === 0 ? 0 : shared / asked.length
    const relevant = at < alwaysGood || shared > 0
    return {
      relevant,
      level: relevant ? levelOf(share) : 'low',
      confidence: share,
      reason: `The passage contains ${shared} of ${asked.length} words of the question.`,
    }
  })
}
