export { figure, round, withoutNoise } from './figure'
export { readFormula } from './formula'
