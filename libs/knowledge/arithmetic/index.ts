export { areAlike, unitOf } from './conversion'
export { evaluate, type Inputs, type Worked } from './evaluate'
export { round, Unworkable } from './expression'
export { figure, partsOfFormula, writeFormula } from './write'
