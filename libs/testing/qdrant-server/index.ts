export { usualDocument } from './document'
export { startQdrantServer, type Fate, type QdrantServer, type Recorded } from './qdrant-server'
