import type { ReviewAction, ReviewView } from '@plumbline/contracts'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { type Asking, EditForm, LineForm } from './forms'
import type { Choice } from './deciding'
import { actionWords } from './words'

export const actionKeys: Record<ReviewAction, string> = {
  retry: 'r',
  edit: 'e',
  approve: 'a',
  research: 'm',
  reject: 'x',
}
const inOrder = ['retry', 'edit', 'approve', 'research', 'reject'] as const

/** What most drafts like this one need. */
const likely = ({ score, actions }: ReviewView): ReviewAction | undefined =>
  (score === 1 ? (['approve'] as const) : (['retry', 'edit', 'reject'] as const)).find((action) =>
    actions.includes(action),
  )

type ActionsProps = {
  view: ReviewView
  asking: Asking | null
  ask: (action: ReviewAction) => void
  onChoice: (choice: Choice) => void
  onClose: () => void
  onPutBack: () => void
  /** Somebody else has it, or it is decided. */
  isClosed: boolean
  isBusy: boolean
  error: unknown
}

/** What may be decided, at the foot of the item. */
export const Actions = ({ view, asking, ask, onChoice, onClose, onPutBack, isClosed, isBusy, error }: ActionsProps) => {
  const form = { view, onChoice, onClose, isBusy }
  return (
    <footer className="actions">
      {error !== null && <Problem error={error} />}
      {asking === 'edit' && <EditForm {...form} />}
      {asking !== null && asking !== 'edit' && <LineForm key={asking} action={asking} {...form} />}
      {asking === null && (
        <div className="buttons" role="group" aria-label="Decide">
          {inOrder
            .filter((action) => view.actions.includes(action))
            .map((action) => (
              <Button
                key={action}
                main={action === likely(view)}
                hotkey={actionKeys[action]}
                isDisabled={isClosed || isBusy}
                onPress={() => ask(action)}
              >
                {actionWords[action].button}
              </Button>
            ))}
          <Button hotkey="p" onPress={onPutBack}>
            Put back
          </Button>
        </div>
      )}
    </footer>
  )
}
