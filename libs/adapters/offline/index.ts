export { lexicalEmbedder } from './lexical-embedder'
export { lexicalReranker } from './lexical-reranker'
