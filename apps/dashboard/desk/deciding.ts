import { useCallback, useRef, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { randomId } from '@plumbline/client'
import type { Decision, ReviewAction } from '@plumbline/contracts'
import { useSession } from '../session'
import { isAnswerLost } from './lost-answer'
import { forgetUnsentEdit } from './unsent-edit'

export const undoMs = 10_000

type Without<T> = T extends unknown ? Omit<T, 'decisionId' | 'undoMs' | 'taskId'> : never
/** What a reviewer chose; whose draft it is about is added by the item. */
export type Choice = Without<Decision>
/** `after`: the draft is being taken, and two requests could arrive in another order than they were sent. */
type Deciding = { runId: string; question: string; decision: Decision; after: Promise<unknown> }
/** A decision of this reviewer, which can be taken back until `until`; by then, or with no `until`, it counts. */
export type Decided = {
  runId: string
  taskId: string
  question: string
  decisionId: string
  action: ReviewAction
  until: number | null
}

/** Decides, tells what was decided last, and takes it back. */
export const useDeciding = (onDecided: (runId: string) => void, onUndone: (runId: string) => void) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const [last, setLast] = useState<Decided | null>(null)
  const decided = useRef(new Set<string>())
  // Nobody waits for it: the next item can be decided while the queue is read.
  const readAgain = (): void => void queries.invalidateQueries({ queryKey: ['desk'] })

  const decide = useMutation({
    mutationFn: async ({ runId, decision, after }: Deciding) => {
      await after
      return client.decide(runId, decision)
    },
    // The same decision again changes nothing, so one whose answer was lost is sent again.
    retry: (_, error) => isAnswerLost(error),
    retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 15_000),
    onSuccess: (run, { runId, question, decision: { taskId, decisionId, action } }) => {
      forgetUnsentEdit(runId)
      const waits = run.status === 'parked' && run.review?.taskId === taskId
      decided.current.add(`${runId} ${taskId}`)
      setLast({ runId, taskId, question, decisionId, action, until: waits ? Date.now() + undoMs : null })
      onDecided(runId)
    },
    onSettled: readAgain,
  })
  const undo = useMutation({
    mutationFn: ({ runId, decisionId }: Decided) => client.undo(runId, decisionId),
    onSuccess: (_, { runId, taskId }) => {
      decided.current.delete(`${runId} ${taskId}`)
      setLast(null)
      onUndone(runId)
    },
    onSettled: readAgain,
  })
  return {
    decide,
    undo,
    last,
    forget: useCallback(() => setLast(null), []),
    /** Already decided from this page, though the queue may not say so yet. */
    isDecided: useCallback((runId: string, taskId: string) => decided.current.has(`${runId} ${taskId}`), []),
  }
}
export type DecidingState = ReturnType<typeof useDeciding>

/** The id of a decision stays the same while it is tried again, so that it is made once. */
export const useDecisionId = (): ((taskId: string, choice: Choice) => string) => {
  const ids = useRef(new Map<string, string>())
  return (taskId, choice) => {
    const text = JSON.stringify([taskId, choice])
    const id = ids.current.get(text) ?? randomId()
    ids.current.set(text, id)
    return id
  }
}
