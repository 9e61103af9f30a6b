export { abandon, advance, end } from './machine/advance'
export { startAhead } from './machine/ahead'
export {
  acceptDecision,
  addNote,
  assignAutomatically,
  assignRun,
  type DecisionFault,
  isStored,
  mayBeAssigned,
  type Refused,
  returnToPool,
  settleDecision,
  undoDecision,
  withCurrentActors,
} from './machine/review-decision'
export { isRelease } from './machine/four-eyes'
export { draftIds, evidenceFor, passingEvidence as passing, withGrades } from './machine/evidence'
export { type Job, newJobs, openJobs } from './machine/jobs'
export type { Moved, Stale } from './machine/move'
export { heldAnswerWords, searchWords } from './machine/held-answer-words'
export { hasWords } from './machine/hold'
export { decisionsFor, type ParkedGroup, parkedRow, type ParkedRow, reviewPassages, reviewTask } from './machine/review'
export { keepsShown, mayShow, mayShowOnceRouted, show, type ShowPart } from './machine/show'
export { policyOf, start, type StartAsk } from './machine/start'
export * from './schema/hold'
export * from './schema/task-table'
export * from './schema/run'
export * from './schema/task'
export * from './policy/policy'
export * from './policy/presets'
export * from './policy/read-policy'
