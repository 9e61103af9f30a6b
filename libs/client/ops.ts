import {
  AbandonedList,
  type HistoryStep,
  OpsHistory,
  OpsOverview,
  type OpsStage,
  ProcessList,
  Replayed,
} from '@plumbline/contracts'
import { type Connection, path, read, send, type Signalled, withSignal } from './request'

/** Times in ISO form; the last day where they are left out. */
type HistoryAsked = { from?: string; to?: string; step?: HistoryStep; tenant?: string; policy?: string }

/** What operators see and do, and what admins see of their tenant. */
export const operationsOf = (connection: Connection) => ({
  overview: (options: Signalled = {}): Promise<OpsOverview> =>
    read(OpsOverview, send(connection, path('ops', 'overview'), withSignal(options))),
  history: ({ signal, ...query }: HistoryAsked & Signalled = {}): Promise<OpsHistory> =>
    read(OpsHistory, send(connection, path('ops', 'history'), { query, ...withSignal({ signal }) })),
  processes: (options: Signalled = {}): Promise<ProcessList> =>
    read(ProcessList, send(connection, path('ops', 'processes'), withSignal(options))),
  /** Its workers take no further job, in any lane, until it is resumed. */
  pauseStage: async (stage: OpsStage, options: Signalled = {}): Promise<void> =>
    void (await send(connection, path('ops', 'stages', stage, 'pause'), { method: 'POST', ...withSignal(options) })),
  resumeStage: async (stage: OpsStage, options: Signalled = {}): Promise<void> =>
    void (await send(connection, path('ops', 'stages', stage, 'resume'), { method: 'POST', ...withSignal(options) })),
  /** Lets this browser open the page under /queues for a while. */
  openQueues: async (options: Signalled = {}): Promise<void> =>
    void (await send(connection, path('ops', 'queues'), { method: 'POST', ...withSignal(options) })),
  abandoned: (options: Signalled = {}): Promise<AbandonedList> =>
    read(AbandonedList, send(connection, path('ops', 'abandoned'), withSignal(options))),
  /** Asks the question of an abandoned run again, as a new run. */
  replay: (runId: string, options: Signalled = {}): Promise<Replayed> =>
    read(
      Replayed,
      send(connection, path('ops', 'abandoned', runId, 'replay'), { method: 'POST', ...withSignal(options) }),
    ),
})
