export type { Observed, Process } from './context'
export { createLoop } from './loop'
