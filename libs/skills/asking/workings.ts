import type { Evidence, Working } from '@plumbline/contracts'
import { passagesOf, saidWorking } from '../compute/working'
import type { Quote } from './quoting'

const sourceOf = (working: Working, evidence: Evidence[]): string => {
  const ids = passagesOf(working)
  const marks = evidence.flatMap(({ id }, at) => (ids.includes(id) ? [`[${at + 1}]`] : []))
  if (marks.length > 0) return `from ${marks.join('')}`
  return ids.length > 0 ? 'from passages that are not shown' : 'from the question alone'
}

/** Figures that were worked out, as an answer writes them, with the numbers of the passages they were made from. */
export const workingsQuote = (workings: Working[], evidence: Evidence[]): Quote[] =>
  workings.length === 0
    ? []
    : [
        {
          name: 'workings',
          text: workings.map((working) => `- ${saidWorking(working)} (${sourceOf(working, evidence)})`).join('\n'),
        },
      ]
