import { gradeEvidence, queriesFor } from './before-drafts'
import { checkBy, worthOf, type Judge } from './checks'
import { countIn, type Shown } from './shown'

type Readers = Record<string, (shown: Shown) => object>

/** A grade where one passage was shown, beside the list of all: the schema takes what it has. */
export const alsoAlone = <T extends object>(all: { grades: T[] }): object => ({ ...all, ...all.grades[0] })

/** The prompts of one thing each, until the merged ones take their place; then this file goes. */
export const earlierPrompts: Readers = {
  'write-queries': ({ one, task }) => ({ queries: queriesFor(one('question'), countIn(task, 'quer') ?? 0) }),
  'grade-evidence': (shown) => alsoAlone(gradeEvidence(shown)),
}

export const earlierChecks = (judge: Judge): Readers => ({
  'check-claims': checkBy(judge),
  'rate-usefulness': (shown) => {
    const standing = shown.numbered('sentence').filter(({ name }) => name.endsWith(', supported'))
    return worthOf(
      shown,
      standing.map(({ n, text }) => ({ claim: n, text })),
    )
  },
})

/** The names of prompts that are shown passages or a draft. */
export const earlierReading = ['check-claims', 'rate-usefulness']
