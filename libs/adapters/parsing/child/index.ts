export { openParser } from './parser'
