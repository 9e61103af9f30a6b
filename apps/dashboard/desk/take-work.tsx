import { useEffect, useRef, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReviewList } from '@plumbline/contracts'
import { useSession } from '../session'
import { Button } from '../ui/controls'
import { Problem } from '../ui/problem'
import type { DeskAddress } from './address'

const choices = [1, 2, 3, 5, 10, 20, 50]
const usual = 5
/**
 * The page reports the reviewer as available at this interval. It must be less than half of the time after which the
 * gateway regards the reviewer as unavailable.
 */
const renewMs = 60_000
const idleMs = 15 * 60_000

/** Returns a function that tells whether the reviewer has not used the page for a while. */
const useIdle = (): (() => boolean) => {
  const usedAt = useRef(0)
  useEffect(() => {
    const use = (): void => void (usedAt.current = Date.now())
    use()
    const events = ['pointerdown', 'keydown', 'wheel'] as const
    for (const event of events) window.addEventListener(event, use, { passive: true })
    return () => {
      for (const event of events) window.removeEventListener(event, use)
    }
  }, [])
  return () => Date.now() - usedAt.current > idleMs
}

const useTakeWork = (atMost: number | undefined) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const isIdle = useIdle()
  const change = useMutation({
    mutationFn: async (most: number | null) =>
      void (await (most === null ? client.stopWork() : client.takeWork({ atMost: most }))),
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk'] }),
  })
  const renew = useRef<() => void>(undefined)
  useEffect(() => {
    renew.current = () => {
      if (!isIdle() && atMost !== undefined) change.mutate(atMost)
      else void queries.invalidateQueries({ queryKey: ['desk'] })
    }
  })
  const isOn = atMost !== undefined
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => renew.current?.(), renewMs)
    return () => clearInterval(timer)
  }, [isOn])
  return change
}

type Work = NonNullable<ReviewList['yours']>
export const TakeWork = ({ yours: { assigned, atMost }, address }: { yours: Work; address: DeskAddress }) => {
  const { me } = useSession()
  const change = useTakeWork(atMost)
  const [most, setMost] = useState(atMost ?? usual)
  const isOn = atMost !== undefined
  const isFiltered = address.filters.assignee === me.name
  const offered = [...new Set([...choices, most])].sort((a, b) => a - b)
  return (
    <div className="take-work" role="group" aria-label="Your work">
      <label className="check">
        <input
          type="checkbox"
          role="switch"
          checked={change.isPending ? change.variables !== null : isOn}
          onChange={({ target }) => change.mutate(target.checked ? most : null)}
        />
        Assign answers to me
      </label>
      <label className="chip">
        Maximum answers
        <select
          aria-label="Maximum number of answers"
          value={most}
          onChange={({ target }) => {
            setMost(Number(target.value))
            if (isOn) change.mutate(Number(target.value))
          }}
        >
          {offered.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <span role="status">
        {isOn && (
          <>
            {assigned} of {atMost}
            <span className="unseen"> answers are assigned to you</span>
          </>
        )}
      </span>
      <Button quiet aria-pressed={isFiltered} onPress={() => address.filter({ assignee: isFiltered ? '' : me.name })}>
        Assigned to me ({assigned})
      </Button>
      {change.error && <Problem error={change.error} />}
    </div>
  )
}
