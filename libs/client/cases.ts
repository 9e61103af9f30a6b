import { Calibration, Case, CaseList, Flag, FlagList, type NewFix, type ReviewAction } from '@plumbline/contracts'
import { type Calls, type Connection, type Page, send, type Signalled } from './request'

type CasesAsked = {
  policy?: string
  collection?: string
  action?: ReviewAction
  reason?: string
  /** Words that the question contains. */
  words?: string
  /** The time range of the decision, in ISO form. `from` is inclusive, `to` is exclusive. */
  from?: string
  to?: string
}

/** Returns the calls for cases, which are stored decisions, and for flags. */
export const casesOf = ({ read, done }: Calls, connection: Connection) => ({
  cases: ({ signal, ...query }: Page & CasesAsked = {}) => read(CaseList, ['cases'], { query, signal }),
  case: (id: string, options?: Signalled) => read(Case, ['cases', id], options),
  removeCase: (id: string, options?: Signalled) => done(['cases', id], { method: 'DELETE', ...options }),
  /** Exports one case per line, newest first. */
  exportCases: ({ signal, ...query }: Signalled & CasesAsked = {}) =>
    send(connection, ['cases', 'export'], { query, signal }),
  calibration: (options?: Signalled) => read(Calibration, ['cases', 'calibration'], options),
  /** Pins a released answer: the same question gets it again until a document that it cites changes. */
  keepAnswer: (runId: string, options?: Signalled) => done(['runs', runId, 'keep'], { method: 'POST', ...options }),
  dropAnswer: (runId: string, options?: Signalled) => done(['runs', runId, 'keep'], { method: 'DELETE', ...options }),
  flags: ({ signal, ...query }: Page & { status?: Flag['status']; collection?: string } = {}) =>
    read(FlagList, ['flags'], { query, signal }),
  /** Asks the question of a flag again as a new run. Does nothing to a flag that is already fixed. */
  fixFlag: (id: string, fix: NewFix = {}, options?: Signalled) =>
    read(Flag, ['flags', id, 'fix'], { method: 'POST', json: fix, ...options }),
})
