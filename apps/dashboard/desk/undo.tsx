import { useEffect, useState } from 'react'
import { cleanName } from '@plumbline/contracts'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import type { DecisionsState } from './decisions'
import { actionLabels, effectText } from './labels'

const shownMs = 6_000

/** Shows that a decision failed. It appears if the reviewer has opened another item in the meantime. */
export const FailedDecision = ({ decide, openRunId }: DecisionsState & { openRunId: string | undefined }) => {
  const { error, variables } = decide
  if (!error || !variables || variables.runId === openRunId) return null
  return (
    <div className="undo">
      <span role="alert">
        The decision failed: <a href={`/desk/${variables.runId}`}>{cleanName(variables.question)}</a>
      </span>
      <Problem error={error} />
      <Button onPress={decide.reset}>Close</Button>
    </div>
  )
}

export const UndoBar = ({ last, undo, forget }: DecisionsState) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!last) return
    const endsAt = last.until ?? Date.now() + shownMs
    const tick = (): void => {
      setNow(Date.now())
      if (Date.now() >= endsAt) forget()
    }
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [last, forget])
  return (
    <div className={last ? 'undo' : 'undo none'}>
      <span role="status" className="one-line">
        {last && `${actionLabels[last.action].done}: ${last.what}`}
      </span>
      {last?.until && (
        <>
          <span className="soft" aria-hidden="true">
            {effectText(last.action, last.until - now)}
          </span>
          <Button hotkey="u" isDisabled={undo.isPending} onPress={() => undo.mutate(last)}>
            Undo
          </Button>
        </>
      )}
      {undo.error && <Problem error={undo.error} />}
    </div>
  )
}
