export { openCohereReranker, type RerankerOptions } from './cohere-reranker'
