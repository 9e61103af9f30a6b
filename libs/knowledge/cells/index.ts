export { isCellRead } from './cell-read'
export { exactCells } from './exact-cells'
export type { CellAnswer } from './said'
