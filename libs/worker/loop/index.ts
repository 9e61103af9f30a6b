export { createLoop, type Loop, type LoopPorts, type Observed, type Process } from './loop'
