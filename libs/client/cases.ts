import { Calibration, Case, CaseList, Flag, FlagList, type NewFix, type ReviewAction } from '@plumbline/contracts'
import { type Calls, type Connection, type Page, send, type Signalled } from './request'

type CasesAsked = {
  policy?: string
  collection?: string
  action?: ReviewAction
  reason?: string
  /** Words of the question. */
  words?: string
  /** Time range of the decision, from (inclusive) and to (exclusive), in ISO form. */
  from?: string
  to?: string
}

/** Cases from past decisions. */
export const casesOf = ({ read, done }: Calls, connection: Connection) => ({
  cases: ({ signal, ...query }: Page & CasesAsked = {}) => read(CaseList, ['cases'], { query, signal }),
  case: (id: string, options?: Signalled) => read(Case, ['cases', id], options),
  removeCase: (id: string, options?: Signalled) => done(['cases', id], { method: 'DELETE', ...options }),
  /** One case per line, newest first. */
  exportCases: ({ signal, ...query }: Signalled & CasesAsked = {}) =>
    send(connection, ['cases', 'export'], { query, signal }),
  calibration: (options?: Signalled) => read(Calibration, ['cases', 'calibration'], options),
  /** Pins a released answer for the same question, until a document it cites changes. */
  keepAnswer: (runId: string, options?: Signalled) => done(['runs', runId, 'keep'], { method: 'POST', ...options }),
  dropAnswer: (runId: string, options?: Signalled) => done(['runs', runId, 'keep'], { method: 'DELETE', ...options }),
  flags: ({ signal, ...query }: Page & { status?: Flag['status']; collection?: string } = {}) =>
    read(FlagList, ['flags'], { query, signal }),
  /** Asks the question again as a new run. A fixed flag is left unchanged. */
  fixFlag: (id: string, fix: NewFix = {}, options?: Signalled) =>
    read(Flag, ['flags', id, 'fix'], { method: 'POST', json: fix, ...options }),
})
