import { Calibration, Case, CaseList, Flag, FlagList, type NewFix, type ReviewAction } from '@plumbline/contracts'
import { type Connection, type Page, path, read, send, type Signalled, withSignal } from './request'

type CasesAsked = {
  policy?: string
  collection?: string
  action?: ReviewAction
  reason?: string
  /** Words of the question. */
  words?: string
  /** Decided from and before these times, in ISO form. */
  from?: string
  to?: string
}

/** What is learned from decisions. */
export const casesOf = (connection: Connection) => ({
  cases: ({ signal, ...query }: Page & CasesAsked = {}): Promise<CaseList> =>
    read(CaseList, send(connection, path('cases'), { query, ...withSignal({ signal }) })),
  case: (id: string, options: Signalled = {}): Promise<Case> =>
    read(Case, send(connection, path('cases', id), withSignal(options))),
  removeCase: async (id: string, options: Signalled = {}): Promise<void> =>
    void (await send(connection, path('cases', id), { method: 'DELETE', ...withSignal(options) })),
  /** A case a line, newest first. */
  exportCases: async ({ signal, ...query }: Signalled & CasesAsked = {}): Promise<Response> =>
    send(connection, path('cases', 'export'), { query, ...withSignal({ signal }) }),
  calibration: (options: Signalled = {}): Promise<Calibration> =>
    read(Calibration, send(connection, path('cases', 'calibration'), withSignal(options))),
  /** Gives a released answer to the same question again until a document it cites changes. */
  keepAnswer: async (runId: string, options: Signalled = {}): Promise<void> =>
    void (await send(connection, path('runs', runId, 'keep'), { method: 'POST', ...withSignal(options) })),
  dropAnswer: async (runId: string, options: Signalled = {}): Promise<void> =>
    void (await send(connection, path('runs', runId, 'keep'), { method: 'DELETE', ...withSignal(options) })),
})

export const flagsOf = (connection: Connection) => ({
  flags: ({ signal, ...query }: Page & { status?: Flag['status']; collection?: string } = {}): Promise<FlagList> =>
    read(FlagList, send(connection, path('flags'), { query, ...withSignal({ signal }) })),
  /** Asks the question again as a new run; a flag that is fixed stays as it is. */
  fixFlag: (id: string, fix: NewFix = {}, options: Signalled = {}): Promise<Flag> =>
    read(Flag, send(connection, path('flags', id, 'fix'), { method: 'POST', json: fix, ...withSignal(options) })),
})
