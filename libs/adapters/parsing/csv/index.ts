export { readCsv } from './read-csv'
