export { openCrossEncoder } from './cross-encoder'
