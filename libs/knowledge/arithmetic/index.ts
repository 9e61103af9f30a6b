export { figure, round } from './figure'
export type { Formula } from './formula'
export { evaluate, readFormula } from './formula'
