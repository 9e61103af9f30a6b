import { Calibration, Case, CaseList, Flag, FlagList, type NewFix, type ReviewAction } from '@plumbline/contracts'
import { type Calls, type Connection, type Page, send, type Signalled } from './request'

type CasesAsked = {
  policy?: string
  collection?: string
  action?: ReviewAction
  reason?: string
  words?: string
  /** Selects cases by the time of the decision, in ISO form. `from` is inclusive, and `to` is exclusive. */
  from?: string
  to?: string
}

export const casesOf = ({ read, done }: Calls, connection: Connection) => ({
  cases: ({ signal, ...query }: Page & CasesAsked = {}) => read(CaseList, ['cases'], { query, signal }),
  case: (id: string, options?: Signalled) => read(Case, ['cases', id], options),
  removeCase: (id: string, options?: Signalled) => done(['cases', id], { method: 'DELETE', ...options }),
  exportCases: ({ signal, ...query }: Signalled & CasesAsked = {}) =>
    send(connection, ['cases', 'export'], { query, signal }),
  calibration: (options?: Signalled) => read(Calibration, ['cases', 'calibration'], options),
  /** Pins a released answer: the same question gets this answer again, until a document that it cites changes. */
  keepAnswer: (runId: string, options?: Signalled) => done(['runs', runId, 'keep'], { method: 'POST', ...options }),
  dropAnswer: (runId: string, options?: Signalled) => done(['runs', runId, 'keep'], { method: 'DELETE', ...options }),
  flags: ({ signal, ...query }: Page & { status?: Flag['status']; collection?: string } = {}) =>
    read(FlagList, ['flags'], { query, signal }),
  /** Marks a flagged answer as fixed. If it is marked already, nothing changes. */
  fixFlag: (id: string, fix: NewFix = {}, options?: Signalled) =>
    read(Flag, ['flags', id, 'fix'], { method: 'POST', json: fix, ...options }),
  /** Reads the documents that the flagged answer cites again from their sources, then asks the question again. */
  rereadFlag: (id: string, fix: NewFix = {}, options?: Signalled) =>
    read(Flag, ['flags', id, 'reread'], { method: 'POST', json: fix, ...options }),
})
