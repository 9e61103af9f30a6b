export { openQdrantPassageIndex, type QdrantPassageIndex } from './qdrant-passage-index'
export type { Rebuilt } from './rebuilding'
