export { openDocling } from './docling-parser'
