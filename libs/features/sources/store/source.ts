import type { NewSource, SourceLastRun, SourceRunning, SourceView } from '@plumbline/contracts'

export type KeptSource = NewSource & { createdAt: number }

export type RequestedRun = { id: string; confirmRemovals: boolean }
export type RemovalMode = 'keep' | 'remove'

const timeOf = (ms: string | undefined): string | undefined => ms && new Date(Number(ms)).toISOString()
const json = <T>(text: string | undefined): T | undefined => (text ? (JSON.parse(text) as T) : undefined)

export const requestedRunOf = (text: string): RequestedRun | null => json<RequestedRun>(text) ?? null

const statusOf = ({ removing, running, wanted }: Record<string, string>, isHeld: boolean): SourceView['status'] => {
  if (removing) return 'removing'
  // After a crash, no run has the lease, so the status is `waiting` until the next run begins.
  if (isHeld && running) return 'running'
  return wanted || running || isHeld ? 'waiting' : 'idle'
}

type Read = { name: string; settings: string; state: Record<string, string>; documents: number; isHeld: boolean }

export const viewOfSource = ({ name, settings, state, documents, isHeld }: Read): SourceView => {
  const { createdAt, ...kept } = JSON.parse(settings) as KeptSource
  const status = statusOf(state, isHeld)
  const running = status === 'running' ? json<SourceRunning>(state.running) : undefined
  const last = json<SourceLastRun>(state.last)
  const nextRunAt = timeOf(state.next)
  return {
    name,
    ...kept,
    createdAt: new Date(createdAt).toISOString(),
    status,
    documents,
    ...(running && { running }),
    ...(last && { last }),
    ...(nextRunAt && status !== 'removing' && { nextRunAt }),
  }
}
