import { follow } from './follow'
import type { Session } from './session'

export type Outcome = 'shown' | 'parked' | 'failed' | 'cancelled'
const bad = new Set(['failed', 'cancelled', 'expired', 'rejected'])

/** Ctrl-C while a run is under way cancels the run, not the conversation. */
const untilInterrupted = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | 'interrupted'> => {
  const interrupted = new AbortController()
  const onSignal = (): void => interrupted.abort()
  process.once('SIGINT', onSignal)
  try {
    return await work(interrupted.signal)
  } catch (error) {
    if (interrupted.signal.aborted) return 'interrupted'
    throw error
  } finally {
    process.removeListener('SIGINT', onSignal)
  }
}

const watch = async (session: Session, runId: string): Promise<Outcome> => {
  const view = await untilInterrupted((signal) => follow(session, runId, signal))
  if (view === 'interrupted') {
    await session.client.cancel(runId)
    session.print(['', 'Cancelled.'])
    return 'cancelled'
  }
  if (view === null) return 'parked'
  return bad.has(view.status) ? 'failed' : 'shown'
}

export const askOnce = async (session: Session, question: string, threadId?: string): Promise<Outcome> => {
  const { policy, collection } = session.options
  const run = await session.client.ask({
    question,
    ...(policy && { policy }),
    ...(collection && { collection }),
    ...(threadId && { threadId }),
  })
  return watch(session, run.id)
}

export const lookAt = async (session: Session, runId: string): Promise<Outcome> => {
  await session.client.run(runId)
  return watch(session, runId)
}
