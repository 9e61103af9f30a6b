export { isCellRead } from './cell-read'
export type { CellAnswer } from './exact-cells'
export { exactCells } from './exact-cells'
