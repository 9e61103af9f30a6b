/** The hash tag keeps the keys of one run in one slot of a cluster, so that one script may touch all of them. */
export const keys = {
  state: (runId: string) => `run:{${runId}}:state`,
  ledger: (runId: string) => `run:{${runId}}:ledger`,
  draft: (runId: string) => `run:{${runId}}:draft`,
  evidence: (runId: string) => `run:{${runId}}:evidence`,
  feedback: (runId: string) => `run:{${runId}}:feedback`,
  usage: (runId: string) => `run:{${runId}}:usage`,
  spent: (tenant: string, day: string) => `usage:{${tenant}}:${day}`,
  open: (lane: string) => `runs:open:${lane}`,
  tenant: (tenant: string) => `runs:tenant:${tenant}`,
  parked: (tenant: string) => `runs:parked:${tenant}`,

  /** What was asked of one model at one provider in the last minute. */
  bucket: (name: string) => `bucket:{${name}}:minute`,

  /** What is remembered of answers of others, and when each entry ends. */
  cached: (name: string) => `cache:{${name}}:entries`,
  cachedEnds: (name: string) => `cache:{${name}}:ends`,

  document: (id: string) => `catalog:{${id}}:document`,
  /** The next look at documents that are not through. */
  documentsOpen: 'documents:open',
  /** The documents of a tenant that are not through. */
  waiting: (tenant: string) => `catalog:{${tenant}}:waiting`,
  /** Per collection: how often it changed, and what made its vectors. */
  changes: (tenant: string) => `catalog:{${tenant}}:changes`,
  embedders: (tenant: string) => `catalog:{${tenant}}:embedders`,
  collections: (tenant: string) => `catalog:{${tenant}}:collections`,
  documents: (tenant: string) => `catalog:{${tenant}}:documents`,
  documentsOf: (tenant: string, collection: string) => `catalog:{${tenant}}:documents:${collection}`,
  headings: (tenant: string, collection: string) => `catalog:{${tenant}}:headings:${collection}`,
  /** The access tags of those documents that have any. */
  tagged: (tenant: string, collection: string) => `catalog:{${tenant}}:tagged:${collection}`,
}
export const committedChannel = 'runs:committed'
export const documentsChannel = 'documents:changed'
