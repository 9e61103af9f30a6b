export { usualDocument } from './document'
export { startQdrantServer, type Fate, type QdrantServer, type QdrantServerOptions, type Recorded, type Watch } from './qdrant-server'
