/** Names under which the gateway's services find what they work with. */
export const STORE = Symbol('RunStore')
export const JOBS = Symbol('JobQueue')
export const CATALOG = Symbol('Catalog')
export const INGEST = Symbol('IngestQueue')
export const REMOVE = Symbol('RemovePassages')
export const REDIS = Symbol('Redis')
export const LOG = Symbol('Log')
export const SETTINGS = Symbol('Settings')
