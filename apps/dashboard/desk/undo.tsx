import { useEffect, useState } from 'react'
import { cleanName } from '@plumbline/contracts'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import type { DecidingState } from './deciding'
import { actionWords } from './words'

const shownMs = 6_000

/** What was decided last, as long as it can be taken back. */
export const UndoBar = ({ last, undo, forget }: DecidingState) => {
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
  const left = last?.until ? Math.max(0, Math.ceil((last.until - now) / 1_000)) : null
  return (
    <div className={last ? 'undo' : 'undo none'}>
      <span role="status" className="one-line">
        {last && `${actionWords[last.action].done}: ${cleanName(last.question)}`}
      </span>
      {last && left !== null && (
        <>
          <span className="soft" aria-hidden="true">
            counts in {left} s
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
