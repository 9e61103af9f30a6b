export { createLoop, type Observed, type Process } from './loop'
