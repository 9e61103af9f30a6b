export { lexicalEmbedder } from './lexical-embedder'
