import { clean, type Claim, type ReviewView } from '@plumbline/contracts'
import { Prose } from '../ui/markdown'
import { withoutNumbers } from './citations'
import { linesOf } from './edit-lines'

type View = Pick<ReviewView, 'run' | 'draft'>

/** Returns whether the text begins with the part that the asker has already read. */
const keepsShownPart = ({ run }: Pick<View, 'run'>, text: string): boolean => text.startsWith(run.partial?.text ?? '')

const hasPartInDraft = (view: View): boolean => view.run.partial !== undefined && keepsShownPart(view, view.draft.text)

const plain = (text: string): string => withoutNumbers(text).replace(/\s+/g, ' ').trim()

/** Returns how many of the first claims the asker has already read. */
export const countReadClaims = (view: View, claims: readonly Claim[]): number => {
  if (!hasPartInDraft(view)) return 0
  const read = plain(view.run.partial?.text ?? '')
  const unread = claims.findIndex(({ text }) => !read.includes(plain(text)))
  return unread === -1 ? claims.length : unread
}

/** Returns how many of the first sentences in the editor the asker has already read. */
export const countReadSentences = (view: View): number =>
  hasPartInDraft(view) ? linesOf(view.run.partial?.text ?? '').length : 0

export const readLabel = 'The asker has already read this part'

/** Shows the part that the asker has already read, if the claims of the draft do not show it. */
export const ShownPart = ({ view }: { view: ReviewView }) => {
  const { partial } = view.run
  if (!partial || countReadClaims(view, view.claims) > 0) return null
  return (
    <section className="shown-part" aria-label={readLabel}>
      <p className="small soft">
        {readLabel}.
        {!hasPartInDraft(view) &&
          ' This draft does not begin with it. If you release the draft, the asker is told that the text has changed.'}
      </p>
      <Prose text={clean(partial.text)} />
    </section>
  )
}

/** Warns before an edit is sent that the edit changes text that the asker has already read. */
export const EditTellsAsker = ({ view, text }: { view: ReviewView; text: string }) =>
  keepsShownPart(view, text) ? null : (
    <p className="notice small" role="status">
      This changes text that the asker has already read. The asker will be told.
    </p>
  )

/** Warns before a rejection that the asker has already read a part of the answer. */
export const RejectTellsAsker = ({ view: { run } }: { view: ReviewView }) =>
  run.partial && (
    <p className="small">
      The asker has already read a part of this answer. The asker will be told that it was withdrawn.
    </p>
  )
