export { hostStages, type Host } from './host-stages'
export { runStages } from './run-stages'
export { defineConsumer, defineStage, type Shared, type Wiring } from './wiring'
