import { randomUUID } from 'node:crypto'
import type { Evidence, LedgerEvent, RunStatus } from '@plumbline/contracts'
import { heldAnswerWords, parkedRow, reviewTask, type ParkedRow, type Run } from '@plumbline/flow'
import type {
  BegunTask,
  Commit,
  Committed,
  DraftEntry,
  LedgerEntry,
  ParkedPage,
  ParkedQuery,
  RunPage,
  RunQuery,
  RunStore,
  TaskDelivery,
} from './run-store'

type Delivery = { fence?: string; first?: string; erredAs?: string; starts: number; errors: number; handedBack: number }
type MemoryEntry = {
  run: string
  version: string
  bodyHash: string
  tenant: string
  status: RunStatus
  createdAt: number
  open: string[]
  deliveries: Map<string, Delivery>
  ledger: LedgerEntry[]
  draft: DraftEntry[]
  evidence: Map<string, string>
}
type Options = { now?: () => number }
type ChangeListener = (runId: string, interrupted: string[]) => void
type World = {
  runs: Map<string, MemoryEntry>
  lanes: Map<string, Map<string, number>>
  listeners: Set<ChangeListener>
  nextId: () => string
  now: () => number
}
export type MemoryRunStore = RunStore & {
  forget(runId: string): void
  /** Saves the state of a run and returns a function that restores it, as if Redis had lost its last writes. */
  snapshot(runId: string): () => void
}

const runOf = (held: MemoryEntry): Run => JSON.parse(held.run) as Run
const stored = (run: Run, version: string = randomUUID()) => ({
  run: JSON.stringify(run),
  version,
  status: run.status,
  open: run.open.map(({ id }) => id),
})
const entries = <T>(world: World, values: T[]): { id: string; value: T }[] =>
  values.map((value) => ({ id: world.nextId(), value }))
const ledgerOf = (world: World, events: LedgerEvent[]): LedgerEntry[] =>
  entries(world, structuredClone(events)).map(({ id, value }) => ({ id, event: value }))
const after = <T extends { id: string }>(list: T[], id: string | null): T[] =>
  id === null ? list : list.filter((entry) => entry.id > id)

const deliveryOf = (held: MemoryEntry, taskId: string): Delivery => {
  const known = held.deliveries.get(taskId) ?? { starts: 0, errors: 0, handedBack: 0 }
  held.deliveries.set(taskId, known)
  return known
}
const owned = (world: World, runId: string, taskId: string, fence: string): Delivery | null => {
  const delivery = world.runs.get(runId)?.deliveries.get(taskId)
  return delivery?.fence === fence ? delivery : null
}
const giveBack = (delivery: Delivery, starts: number): void => {
  delivery.starts -= starts
  delivery.handedBack += starts
}

const begin = (
  world: World,
  runId: string,
  taskId: string,
  fence: string,
  { isolated, spanId }: TaskDelivery,
): BegunTask => {
  const now = world.now()
  const held = world.runs.get(runId)
  if (!held) return { kind: 'gone', now }
  if (!held.open.includes(taskId)) return { kind: 'closed', run: runOf(held), now }
  const delivery = deliveryOf(held, taskId)
  if (delivery.fence !== fence) {
    if (delivery.starts > 0 && !isolated) return { kind: 'suspect', starts: delivery.starts, now }
    delivery.starts += 1
    delivery.fence = fence
  }
  const first = spanId === undefined ? undefined : (delivery.first ??= spanId)
  return {
    kind: 'open',
    run: runOf(held),
    version: held.version,
    starts: delivery.starts,
    errors: delivery.errors,
    now,
    ...(first !== undefined && first !== spanId && { first }),
  }
}

const commit = (world: World, { run, version, next, by, before, events, evidence }: Commit): Committed => {
  const held = world.runs.get(run.id)
  if (!held) return { kind: 'gone' }
  if (held.version === next) return { kind: 'moved' }
  if (by) {
    const fence = held.deliveries.get(by.taskId)?.fence
    if (fence === undefined) return { kind: 'lost' }
    if (fence !== by.fence) return { kind: 'fenced' }
  }
  if (held.version !== version) return { kind: 'raced' }
  if (before !== undefined && world.now() >= before) return { kind: 'late' }
  Object.assign(held, stored(run, next))
  const interrupted: string[] = []
  for (const [taskId, { starts }] of held.deliveries) {
    if (held.open.includes(taskId)) continue
    if (starts > (taskId === by?.taskId ? 1 : 0)) interrupted.push(taskId)
    held.deliveries.delete(taskId)
  }
  held.ledger.push(...ledgerOf(world, events))
  for (const passage of evidence) held.evidence.set(passage.id, JSON.stringify(passage))
  for (const listener of world.listeners) queueMicrotask(() => listener(run.id, interrupted))
  return { kind: 'moved' }
}

const list = (
  world: World,
  tenant: string,
  {
    cursor,
    limit,
    status,
    from: since = 0,
    to: until = Number.POSITIVE_INFINITY,
    wanted: isWanted = () => true,
  }: RunQuery,
): RunPage => {
  const order = ({ createdAt, id }: { createdAt: number; id: string }) => `${String(createdAt).padStart(16, '0')}:${id}`
  const from = cursor === null ? null : Buffer.from(cursor, 'base64url').toString()
  const all = [...world.runs].map(([id, held]) => ({ id, ...held, key: order({ createdAt: held.createdAt, id }) }))
  const wanted = all
    .filter((run) => run.tenant === tenant && (!status || run.status === status) && (from === null || run.key < from))
    .filter((run) => run.createdAt >= since && run.createdAt < until && isWanted(runOf(run)))
    .sort((a, b) => (a.key < b.key ? 1 : -1))
  const page = wanted.slice(0, limit)
  const last = page.at(-1)
  return {
    ids: page.map(({ id }) => id),
    next: last && page.length === limit ? Buffer.from(last.key).toString('base64url') : null,
  }
}

const placeIn: Record<ParkedQuery['order'], (row: ParkedRow) => number> = {
  deadline: ({ dueAt }) => dueAt,
  age: ({ openedAt }) => openedAt,
  risk: ({ risk }) => -risk,
}
const hasWords = (run: Run, words: string[]): boolean => {
  const own = heldAnswerWords(run)
  return words.every((word) => own.some((one) => one.startsWith(word)))
}
const parked = (world: World, tenant: string, query: ParkedQuery): ParkedPage => {
  const { order, cursor, limit, wanted, words = [], dueBy } = query
  const all = [...world.runs.values()].flatMap((held) => {
    const row = held.tenant === tenant && parkedRow(runOf(held))
    return row && wanted(row.group) && hasWords(runOf(held), words)
      ? [{ row, place: `${String(1e15 + placeIn[order](row))}:${row.runId}` }]
      : []
  })
  const from = cursor === null ? '' : Buffer.from(cursor, 'base64url').toString()
  const left = all.filter(({ place }) => place > from).sort((a, b) => (a.place < b.place ? -1 : 1))
  const last = left.slice(0, limit).at(-1)
  const groups = Map.groupBy(all, ({ row }) => JSON.stringify(row.group))
  return {
    rows: left.slice(0, limit).map(({ row }) => row),
    next: last && left.length > limit ? Buffer.from(last.place).toString('base64url') : null,
    groups: [...groups.values()].flatMap((its) => (its[0] ? [{ group: its[0].row.group, count: its.length }] : [])),
    oldestAt: all.length > 0 ? Math.min(...all.map(({ row }) => row.openedAt)) : null,
    ...(dueBy !== undefined && { due: all.filter(({ row }) => row.dueAt <= dueBy).length }),
  }
}

const writes = (
  world: World,
): Pick<RunStore, 'create' | 'begin' | 'commit' | 'countError' | 'uncountStarts' | 'appendDraft'> => ({
  create: async (run, events, bodyHash) => {
    const held = world.runs.get(run.id)
    if (held) return held.bodyHash === bodyHash ? { kind: 'exists', run: runOf(held) } : { kind: 'conflict' }
    const { tenant, createdAt } = run
    world.runs.set(run.id, {
      ...stored(run),
      bodyHash,
      tenant,
      createdAt,
      deliveries: new Map(),
      ledger: ledgerOf(world, events),
      draft: [],
      evidence: new Map(),
    })
    return { kind: 'created' }
  },
  begin: async (runId, taskId, fence, where) => begin(world, runId, taskId, fence, where),
  commit: async (move) => commit(world, move),
  countError: async (runId, taskId, fence) => {
    const delivery = owned(world, runId, taskId, fence)
    if (!delivery) return null
    if (delivery.erredAs === fence) return delivery.errors
    delivery.erredAs = fence
    giveBack(delivery, delivery.starts)
    return (delivery.errors += 1)
  },
  uncountStarts: async (runId, taskId, fence, which) => {
    const delivery = owned(world, runId, taskId, fence)
    if (!delivery) return
    giveBack(delivery, which === 'all' ? delivery.starts : Math.min(delivery.starts, 1))
    delete delivery.fence
  },
  appendDraft: async (runId, { taskId, fence, text }) => {
    const delivery = owned(world, runId, taskId, fence)
    if (!delivery || delivery.starts === 0) return
    const start = delivery.starts + delivery.handedBack
    world.runs.get(runId)?.draft.push({ id: world.nextId(), delta: { taskId, start, text } })
  },
})

const reads = (
  world: World,
): Pick<
  RunStore,
  'load' | 'loadMany' | 'evidence' | 'ledger' | 'ledgerFrom' | 'draft' | 'list' | 'parked' | 'parkedPlace'
> => ({
  load: async (runId) => {
    const held = world.runs.get(runId)
    return held ? { run: runOf(held), version: held.version, now: world.now() } : null
  },
  loadMany: async (runIds) =>
    runIds.map((id) => {
      const held = world.runs.get(id)
      return held ? runOf(held) : null
    }),
  evidence: async (runId, passageIds) =>
    passageIds.flatMap((id) => {
      const passage = world.runs.get(runId)?.evidence.get(id)
      return passage ? [JSON.parse(passage) as Evidence] : []
    }),
  ledger: async (runId, from, limit) =>
    structuredClone(after(world.runs.get(runId)?.ledger ?? [], from).slice(0, limit)),
  ledgerFrom: async (runId, from, limit) => {
    const ledger = world.runs.get(runId)?.ledger ?? []
    const holds = from === null ? ledger.length > 0 : ledger.some(({ id }) => id === from)
    return holds ? structuredClone(after(ledger, from).slice(0, limit)) : null
  },
  draft: async (runId, from, limit) => structuredClone(after(world.runs.get(runId)?.draft ?? [], from).slice(0, limit)),
  list: async (tenant, page) => list(world, tenant, page),
  parked: async (tenant, query) => parked(world, tenant, query),
  parkedPlace: async ({ id, tenant }) => {
    const { rows } = parked(world, tenant, { order: 'deadline', cursor: null, limit: Infinity, wanted: () => true })
    const at = rows.findIndex(({ runId }) => runId === id) + 1
    return at === 0 ? null : { at, of: rows.length }
  },
})

const schedules = (world: World): Pick<RunStore, 'schedule' | 'rest' | 'relist' | 'unschedule' | 'takeDue'> => {
  const laneOf = (lane: string): Map<string, number> => {
    const known = world.lanes.get(lane) ?? new Map<string, number>()
    world.lanes.set(lane, known)
    return known
  }
  return {
    schedule: async ({ lane, runId }, at) => void laneOf(lane).set(runId, at),
    rest: async (run, nextDue) => {
      const task = reviewTask(run)
      const lane = laneOf(run.lane)
      if (task && lane.get(run.id) === nextDue) lane.set(run.id, task.dueAt)
    },
    relist: async () => undefined,
    unschedule: async ({ lane, runId }) => void laneOf(lane).delete(runId),
    takeDue: async (lane, limit, againInMs) => {
      const now = world.now()
      const due = [...laneOf(lane)].filter(([, at]) => at <= now).sort((a, b) => a[1] - b[1])
      const runIds = due.slice(0, limit).map(([id]) => id)
      for (const id of runIds) laneOf(lane).set(id, now + againInMs)
      return { runIds, now, nextDue: now + againInMs }
    },
  }
}

const hear = async ({ listeners }: World, listener: ChangeListener): Promise<() => Promise<void>> => {
  listeners.add(listener)
  return async () => void listeners.delete(listener)
}

/** A run store in memory. Runs are stored as JSON text, so that no caller can change a stored object. */
export const memoryRunStore = ({ now = () => Date.now() }: Options = {}): MemoryRunStore => {
  let last = 0
  const nextId = (): string => `${String((last += 1)).padStart(13, '0')}-0`
  const world: World = { runs: new Map(), lanes: new Map(), listeners: new Set(), nextId, now }
  return {
    ...writes(world),
    ...reads(world),
    ...schedules(world),
    now: async () => now(),
    subscribe: (runId, onMove) => hear(world, (moved) => moved === runId && onMove()),
    subscribeClosed: (onClosed) =>
      hear(world, (runId, interrupted) => interrupted.length > 0 && onClosed(runId, interrupted)),
    forget: (runId) => void world.runs.delete(runId),
    snapshot: (runId) => {
      const kept = structuredClone(world.runs.get(runId))
      return () => void (kept ? world.runs.set(runId, structuredClone(kept)) : world.runs.delete(runId))
    },
  }
}
