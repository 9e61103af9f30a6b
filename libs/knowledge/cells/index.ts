export { exactCells } from './exact-cells'
export type { CellAnswer } from './said'
