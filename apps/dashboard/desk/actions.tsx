import type { ReviewAction, ReviewView } from '@plumbline/contracts'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import { type Asking, Keep, type Keeping, LineForm } from './forms'
import type { Choice } from './deciding'
import { actionWords } from './words'

export const actionKeys: Record<ReviewAction, string> = {
  retry: 'r',
  edit: 'e',
  approve: 'a',
  research: 'm',
  reject: 'x',
}
export const keepKey = 's'
const inOrder = ['retry', 'edit', 'approve', 'research', 'reject'] as const

/**
 * Returns the suggested action. If all claims are supported, suggests to approve. Otherwise suggests the first possible
 * of retry, edit and reject.
 */
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
  /** True if another reviewer has opened the item, or a decision has been made. */
  isClosed: boolean
  isBusy: boolean
  keeping: Keeping | null
  error: unknown
}

/** Shows the allowed decisions below the item. */
export const Actions = ({ asking, ask, onPutBack, isClosed, error, keeping, ...form }: ActionsProps) => {
  const { view, isBusy } = form
  if (asking === 'edit' && error === null) return null
  return (
    <footer className="actions">
      {error !== null && <Problem error={error} />}
      {asking !== null && asking !== 'edit' && <LineForm key={asking} action={asking} {...form} />}
      {asking === null && keeping && <Keep keeping={keeping} hotkey={keepKey} isDisabled={isClosed || isBusy} />}
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
