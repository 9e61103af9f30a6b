import { useCallback, useRef, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { randomId } from '@plumbline/client'
import { type BulkResult, cleanName, type Decision, type ReviewAction, type ReviewRow } from '@plumbline/contracts'
import { useSession } from '../session'
import { isAnswerLost } from './lost-answer'
import { forgetUnsentEdit, keepUnsentEdit, unsentEdit, type UnsentEdit } from './unsent-edit'

export const undoMs = 10_000

type WithoutIds<T> = T extends unknown ? Omit<T, 'decisionId' | 'undoMs' | 'taskId'> : never
export type Choice = WithoutIds<Decision>
/**
 * A decision to send. It is sent after the request `after`, which takes the lease of the item, because two requests at
 * the same time may arrive in the wrong order.
 */
type DecisionRequest = { runId: string; question: string; decision: Decision; after: Promise<unknown> }
type BulkRequest = { action: 'approve' | 'reject'; note: string; rows: ReviewRow[]; decisionId: string }
type DecidedItem = { runId: string; taskId: string }
/** A decision that was sent. `until` is the time in ms until which it can be undone. Null means that it is final. */
export type MadeDecision = {
  items: DecidedItem[]
  what: string
  decisionId: string
  action: ReviewAction
  until: number | null
}

/** For this time, the page remembers decided items itself. Later, the server no longer lists these items as held. */
const rememberedMs = undoMs + 2_000

const useDecidedItems = () => {
  const all = useRef(new Map<string, number>())
  const keyOf = ({ runId, taskId }: DecidedItem): string => `${runId} ${taskId}`
  return {
    add: (items: DecidedItem[]): void =>
      items.forEach((item) => all.current.set(keyOf(item), Date.now() + rememberedMs)),
    remove: (items: DecidedItem[]): void => items.forEach((item) => all.current.delete(keyOf(item))),
    isDecided: useCallback(
      (runId: string, taskId: string) => (all.current.get(keyOf({ runId, taskId })) ?? 0) > Date.now(),
      [],
    ),
  }
}

const decidedRows = ({ items }: BulkResult, rows: ReviewRow[]): ReviewRow[] => {
  const ids = new Set(items.flatMap(({ runId, decided }) => (decided ? [runId] : [])))
  return rows.filter(({ runId }) => ids.has(runId))
}

const useDecideMany = (
  onSome: (decision: Pick<MadeDecision, 'action' | 'decisionId'>, items: DecidedItem[]) => void,
  onSettled: () => void,
) => {
  const { client } = useSession()
  return useMutation({
    mutationFn: ({ action, note, rows, decisionId }: BulkRequest) =>
      client.decideMany({
        ...{ action, decisionId, undoMs },
        ...(note !== '' && { note }),
        items: rows.map(({ runId, taskId }) => ({ runId, taskId })),
      }),
    retry: (_, error) => isAnswerLost(error),
    onSuccess: (result, { action, rows, decisionId }) => {
      const items = decidedRows(result, rows)
      if (items.length > 0) onSome({ action, decisionId }, items)
    },
    onSettled,
  })
}

/** Keeps the texts of edits that were sent. After an undo, the reviewer gets the text back. */
const useSentEdits = () => {
  const edits = useRef(new Map<string, UnsentEdit>())
  return {
    send: (runId: string): void => {
      const edit = unsentEdit(runId)
      if (edit) edits.current.set(runId, edit)
      forgetUnsentEdit(runId)
    },
    giveBack: (items: DecidedItem[]): void => {
      for (const { runId } of items) {
        const edit = edits.current.get(runId)
        if (edit) keepUnsentEdit(runId, edit)
      }
    },
  }
}

export const useDecisions = (onDecided: (runIds: string[]) => void, onUndone: (runId: string) => void) => {
  const { client } = useSession()
  const queries = useQueryClient()
  const [last, setLast] = useState<MadeDecision | null>(null)
  const decided = useDecidedItems()
  const sentEdits = useSentEdits()
  // Do not wait for the reload, so that the reviewer can decide about the next item at once.
  const readAgain = (): void => void queries.invalidateQueries({ queryKey: ['desk'] })

  const decide = useMutation({
    mutationFn: async ({ runId, decision, after }: DecisionRequest) => {
      await after
      return client.decide(runId, decision)
    },
    // If the response was lost, send the decision again. A repeated decision changes nothing.
    retry: (_, error) => isAnswerLost(error),
    retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 15_000),
    onSuccess: (run, { runId, question, decision: { taskId, decisionId, action } }) => {
      sentEdits.send(runId)
      const waits = run.status === 'parked' && run.review?.taskId === taskId
      const items = [{ runId, taskId }]
      decided.add(items)
      setLast({ items, what: cleanName(question), decisionId, action, until: waits ? Date.now() + undoMs : null })
      onDecided([runId])
    },
    onSettled: readAgain,
  })
  const decideMany = useDecideMany((many, items) => {
    decided.add(items)
    setLast({ items, what: `${items.length} answers`, ...many, until: Date.now() + undoMs })
    onDecided(items.map(({ runId }) => runId))
  }, readAgain)
  const undo = useMutation({
    mutationFn: async ({ items, decisionId }: MadeDecision) => {
      const [first, ...more] = items
      if (first && more.length === 0) return client.undo(first.runId, decisionId)
      const undone = await client.undoMany({ decisionId, runIds: items.map(({ runId }) => runId) })
      const failed = undone.items.filter((item) => !item.undone)
      const failedIds = new Set(failed.map(({ runId }) => runId))
      decided.remove(items.filter(({ runId }) => !failedIds.has(runId)))
      if (failed.length > 0)
        throw new Error(`${failed.length} of ${items.length} decisions were not undone. ${failed[0]?.problem}`)
    },
    onSuccess: (_, { items }) => {
      decided.remove(items)
      sentEdits.giveBack(items)
      setLast(null)
      if (items[0]) onUndone(items[0].runId)
    },
    onSettled: readAgain,
  })
  return {
    decide,
    decideMany,
    undo,
    last,
    forget: useCallback(() => setLast(null), []),
    isDecided: decided.isDecided,
  }
}
export type DecisionsState = ReturnType<typeof useDecisions>

/** Returns the id for a decision. A repeated decision gets the same id, so that the gateway applies it only once. */
export const useDecisionId = (): ((taskId: string, choice: Choice) => string) => {
  const ids = useRef(new Map<string, string>())
  return (taskId, choice) => {
    const text = JSON.stringify([taskId, choice])
    const id = ids.current.get(text) ?? randomId()
    ids.current.set(text, id)
    return id
  }
}
