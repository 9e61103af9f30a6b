export type { Budget, Observed, Process } from './context'
export { createLoop } from './loop'
