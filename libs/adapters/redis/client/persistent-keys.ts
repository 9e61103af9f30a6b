import { keys } from './keys'

const any = '*'
const parts = ['rows', 'groups', 'deadline', 'age', 'risk'] as const

/** BullMQ stores these keys even for an empty queue. */
const ofQueues = ['meta', 'id', 'events', 'marker', 'pc', 'stalled-check'].map((part) => `plumbline:{*}:*:${part}`)

const persistentKeys = [
  ...[
    keys.shape,
    keys.lanes,
    keys.moved,
    keys.decisions,
    keys.decided,
    keys.documentsOpen,
    keys.deliveriesOpen,
    keys.notices,
  ],
  ...[keys.sourcesDue, keys.open(any), keys.tenant(any), keys.rules(any), keys.webhooks(any), keys.auditEnds(any)],
  ...parts.map((part) => keys.parked(any, part)),
  ...[keys.apiKeys('by-hash'), keys.apiKeys('rows'), keys.apiKeys('used'), keys.apiKeysOf(any)],
  ...[keys.document(any), keys.waiting(any), keys.changes(any), keys.embedders(any), keys.collections(any)],
  ...[keys.documents(any), keys.documentsOf(any, any), keys.headings(any, any), keys.tagged(any, any)],
  ...[keys.titles(any, any), keys.reviewersDue],
  ...[keys.sources(any), keys.sourceState(any, any), keys.sourceDocuments(any, any)],
  ...[keys.batchesDue, keys.flagsDue, keys.schedulesDue, keys.schedule(any, any), keys.schedules(any)],
  ...ofQueues,
].map((pattern) => new RegExp(`^${pattern.replace(/[{}.]/g, '\\$&').replaceAll('*', '[^{}]+')}$`))

/** Returns true if a key is allowed to exist without an expiry time. */
export const mayPersist = (key: string): boolean => persistentKeys.some((pattern) => pattern.test(key))
