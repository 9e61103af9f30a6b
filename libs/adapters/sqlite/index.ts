export { openSqlitePassageIndex } from './sqlite-passage-index'
