export { openQdrantPassageIndex } from './qdrant-passage-index'
