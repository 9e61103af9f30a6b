export { faultIn, type Looked, type Lookup, type LookupCard, type LookupParam } from './lookup'
