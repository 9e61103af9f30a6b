import { clean, type Claim, type ReviewView } from '@plumbline/contracts'
import { Prose } from '../ui/markdown'
import { withoutNumbers } from './citations'
import { linesOf } from './edit-lines'

type View = Pick<ReviewView, 'run' | 'draft'>

const keepsShownPart = ({ run }: Pick<View, 'run'>, text: string): boolean => text.startsWith(run.partial?.text ?? '')

const hasPartInDraft = (view: View): boolean => view.run.partial !== undefined && keepsShownPart(view, view.draft.text)

const plain = (text: string): string => withoutNumbers(text).replace(/\s+/g, ' ').trim()

export const countReadClaims = (view: View, claims: readonly Claim[]): number => {
  if (!hasPartInDraft(view)) return 0
  const read = plain(view.run.partial?.text ?? '')
  const unread = claims.findIndex(({ text }) => !read.includes(plain(text)))
  return unread === -1 ? claims.length : unread
}

export const countReadSentences = (view: View): number =>
  hasPartInDraft(view) ? linesOf(view.run.partial?.text ?? '').length : 0

export const readLabel = 'The asker has already read this part'

export const ShownPart = ({ view }: { view: ReviewView }) => {
  const { partial } = view.run
  if (!partial || countReadClaims(view, view.claims) > 0) return null
  return (
    <section className="shown-part" aria-label={readLabel}>
      <p className="small soft">
        {readLabel}.
        {!hasPartInDraft(view) &&
          ' This draft does not begin with that part. If you release the draft, the asker sees that the text has changed.'}
      </p>
      <Prose text={clean(partial.text)} />
    </section>
  )
}

export const EditTellsAsker = ({ view, text }: { view: ReviewView; text: string }) =>
  keepsShownPart(view, text) ? null : (
    <p className="notice small" role="status">
      This edit changes text that the asker has already read. The asker gets a notice.
    </p>
  )

export const RejectTellsAsker = ({ view: { run } }: { view: ReviewView }) =>
  run.partial && (
    <p className="small">The asker has already read a part of this answer, and will see that it was withdrawn.</p>
  )
