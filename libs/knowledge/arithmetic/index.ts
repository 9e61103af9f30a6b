export { areAlike, unitOf } from './conversion'
export { evaluate } from './evaluate'
export { round, Unworkable } from './expression'
export { figure, partsOfFormula, writeFormula } from './write'
