import { follow } from './follow'
import type { Session } from './session'

export type Outcome = 'shown' | 'parked' | 'failed' | 'cancelled'
const bad = new Set(['failed', 'cancelled', 'expired', 'rejected'])

/**
 * Ctrl-C while a run is under way cancels the run, not the conversation. It may arrive twice, from the terminal and
 * through whoever started us: only a second one a second later ends the program, where the cancelling itself hangs.
 */
const untilInterrupted = async <T>(
  work: (signal: AbortSignal) => Promise<T>,
  cancel: () => Promise<unknown>,
): Promise<T | 'interrupted'> => {
  const interrupted = new AbortController()
  let askedAt = 0
  const onSignal = (): void => {
    if (interrupted.signal.aborted && Date.now() - askedAt > 1_000) process.exit(130)
    askedAt ||= Date.now()
    interrupted.abort()
  }
  process.on('SIGINT', onSignal)
  try {
    return await work(interrupted.signal)
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
    await cancel()
    return 'interrupted'
  } finally {
    process.removeListener('SIGINT', onSignal)
  }
}

const watch = async (session: Session, runId: string): Promise<Outcome> => {
  const view = await untilInterrupted(
    (signal) => follow(session, runId, signal),
    () => session.client.cancel(runId),
  )
  if (view === 'interrupted') {
    session.print(['', 'Cancelled.'])
    return 'cancelled'
  }
  if (view === null) return 'parked'
  return bad.has(view.status) ? 'failed' : 'shown'
}

export const askOnce = async (
  session: Session,
  question: string,
  threadId?: string,
  onAsked: (runId: string) => void = () => undefined,
): Promise<Outcome> => {
  const { policy, collection } = session.options
  const run = await session.client.ask({
    question,
    ...(policy && { policy }),
    ...(collection && { collection }),
    ...(threadId && { threadId }),
  })
  onAsked(run.id)
  return watch(session, run.id)
}

export const lookAt = async (session: Session, runId: string): Promise<Outcome> => {
  await session.client.run(runId)
  return watch(session, runId)
}
