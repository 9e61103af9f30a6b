export { defaultLimits } from './limits'
export type { Limits } from './limits'
export { openParser } from './parser'
