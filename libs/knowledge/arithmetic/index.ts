export { figure, round, withoutNoise } from './figure'
export type { Formula } from './formula'
export { readFormula } from './formula'
