export type { FileToTell } from './detect-format'
export { detectFormat } from './detect-format'
