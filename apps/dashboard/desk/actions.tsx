import type { ReviewAction, ReviewView } from '@plumbline/contracts'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { LineForm, ReuseCheckbox, type ReuseChoice } from './decision-forms'
import type { Choice } from './decisions'
import { actionLabels } from './labels'

export const actionKeys: Record<ReviewAction, string> = {
  retry: 'r',
  edit: 'e',
  approve: 'a',
  research: 'm',
  reject: 'x',
}
export const reuseKey = 's'
const releasing = ['retry', 'edit', 'approve'] as const
const others = ['research', 'reject'] as const

const likelyAction = ({ score, actions }: ReviewView): ReviewAction | undefined =>
  (score === 1 ? (['approve'] as const) : (['retry', 'edit', 'reject'] as const)).find((action) =>
    actions.includes(action),
  )

type ActionsProps = {
  view: ReviewView
  openForm: ReviewAction | null
  ask: (action: ReviewAction) => void
  onChoice: (choice: Choice) => void
  onClose: () => void
  onPutBack: () => void
  /** True if another reviewer has this item open, or if a decision about it has been made. */
  isClosed: boolean
  isBusy: boolean
  reuse: ReuseChoice | null
  error: unknown
}

export const Actions = ({ openForm, ask, onPutBack, isClosed, error, reuse, ...form }: ActionsProps) => {
  const { view, isBusy } = form
  const buttons = (actions: readonly ReviewAction[]) =>
    actions
      .filter((action) => view.actions.includes(action))
      .map((action) => (
        <Button
          key={action}
          main={action === likelyAction(view)}
          hotkey={actionKeys[action]}
          isDisabled={isClosed || isBusy}
          onPress={() => ask(action)}
        >
          {actionLabels[action].button}
        </Button>
      ))
  if (openForm === 'edit' && error === null) return null
  return (
    <footer className="actions">
      {error !== null && <Problem error={error} />}
      {openForm !== null && openForm !== 'edit' && <LineForm key={openForm} action={openForm} {...form} />}
      {openForm === null && (
        <div className="buttons" role="group" aria-label="Decide this answer">
          {buttons(releasing)}
          {reuse && <ReuseCheckbox reuse={reuse} hotkey={reuseKey} isDisabled={isClosed || isBusy} />}
          {buttons(others)}
          <Button hotkey="p" onPress={onPutBack}>
            Put back
          </Button>
        </div>
      )}
    </footer>
  )
}
