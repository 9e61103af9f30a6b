export { openQdrantPassageIndex, type QdrantOptions, type QdrantPassageIndex } from './qdrant-passage-index'
export type { Rebuilt } from './rebuilding'
