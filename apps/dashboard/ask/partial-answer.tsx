import { useState } from 'react'
import type { Answer, RunView } from '@plumbline/contracts'
import { withoutNumbers } from '../desk/citations'
import { hasEnded } from './run'

export const answerToShow = ({ answer, partial }: RunView): Answer | undefined =>
  answer ?? (partial && { kind: 'written', text: partial.text, citations: partial.citations })

const doubtedWords = (run: RunView): string => {
  if (run.status === 'parked') return 'A reviewer is checking this part.'
  return hasEnded(run) ? 'No reviewer has confirmed this part.' : 'The answer is being written again.'
}

const warningOf = (run: RunView): string | undefined => {
  switch (run.partial?.state) {
    case 'doubted':
      return `Evidence found later disagrees with this part of the answer. ${doubtedWords(run)}`
    case 'corrected':
      return 'A reviewer changed the text that you saw before.'
    case 'withdrawn':
      return 'A reviewer withdrew this answer.'
    default:
      return undefined
  }
}

const restOf = ({ partial, status, review }: RunView): string | undefined => {
  if (partial?.state !== 'incomplete') return undefined
  if (status !== 'parked') return 'This answer is incomplete. The part above is checked.'
  return review?.decider === 'asker'
    ? 'The rest of the answer is held for your decision. The part above is checked.'
    : 'The rest of the answer is being reviewed. The part above is checked.'
}

export const PartWarning = ({ run }: { run: RunView }) => {
  const warning = warningOf(run)
  return (
    warning !== undefined && (
      <p className="part-warning" role="status">
        {warning}
      </p>
    )
  )
}

export const PartRest = ({ run }: { run: RunView }) => {
  const rest = restOf(run)
  return rest !== undefined && <p className="part-rest small">{rest}</p>
}

const spokenBlocks = (text: string): string[] =>
  withoutNumbers(text)
    .replaceAll(/[*`#|]/g, ' ')
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')

/** Announces each new paragraph to screen readers. Text that was there when the page was opened is not announced. */
export const AnnouncedPart = ({ text }: { text: string }) => {
  const [part, setPart] = useState({ text, from: text.length })
  if (text.length > part.text.length) setPart({ text, from: part.text.length })
  return (
    <div className="unseen" aria-live="polite">
      {spokenBlocks(text.slice(part.from)).map((block, n) => (
        <p key={`${part.from} ${n}`}>{block}</p>
      ))}
    </div>
  )
}
