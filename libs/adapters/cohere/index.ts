export { openCohereReranker } from './cohere-reranker'
