import { randomUUID } from 'node:crypto'
import type { Evidence, LedgerEvent, RunStatus } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { Begun, Commit, Committed, DraftEntry, LedgerEntry, RunPage, RunStore } from './run-store'

type Delivery = { fence?: string; erredAs?: string; starts: number; errors: number; handedBack: number }
type Held = {
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
type World = {
  runs: Map<string, Held>
  lanes: Map<string, Map<string, number>>
  listeners: Set<(runId: string) => void>
  nextId: () => string
  now: () => number
}
export type MemoryRunStore = RunStore & {
  /** Makes a run gone, as its expiry does. */
  forget(runId: string): void
  /** Keeps a run as it is now and returns what puts it back: a Redis that was rolled back. */
  snapshot(runId: string): () => void
}

const runOf = (held: Held): Run => JSON.parse(held.run) as Run
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

const deliveryOf = (held: Held, taskId: string): Delivery => {
  const known = held.deliveries.get(taskId) ?? { starts: 0, errors: 0, handedBack: 0 }
  held.deliveries.set(taskId, known)
  return known
}
const owned = (world: World, runId: string, taskId: string, fence: string): Delivery | null => {
  const delivery = world.runs.get(runId)?.deliveries.get(taskId)
  return delivery?.fence === fence ? delivery : null
}
const giveBack = (delivery: Delivery): void => {
  if (delivery.starts === 0) return
  delivery.starts -= 1
  delivery.handedBack += 1
}

const begin = (world: World, runId: string, taskId: string, fence: string, isolated: boolean): Begun => {
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
  return {
    kind: 'open',
    run: runOf(held),
    version: held.version,
    starts: delivery.starts,
    errors: delivery.errors,
    now,
  }
}

const commit = (world: World, { run, version, next, by, events, evidence }: Commit): Committed => {
  const held = world.runs.get(run.id)
  if (!held) return { kind: 'gone' }
  if (held.version === next) return { kind: 'moved' }
  if (by) {
    const fence = held.deliveries.get(by.taskId)?.fence
    if (fence === undefined) return { kind: 'lost' }
    if (fence !== by.fence) return { kind: 'fenced' }
  }
  if (held.version !== version) return { kind: 'raced' }
  Object.assign(held, stored(run, next))
  for (const taskId of held.deliveries.keys()) if (!held.open.includes(taskId)) held.deliveries.delete(taskId)
  held.ledger.push(...ledgerOf(world, events))
  for (const passage of evidence) held.evidence.set(passage.id, JSON.stringify(passage))
  for (const listener of world.listeners) queueMicrotask(() => listener(run.id))
  return { kind: 'moved' }
}

const list = (
  world: World,
  tenant: string,
  { cursor, limit, status }: { cursor: string | null; limit: number; status?: RunStatus },
): RunPage => {
  const order = ({ createdAt, id }: { createdAt: number; id: string }) => `${String(createdAt).padStart(16, '0')}:${id}`
  const from = cursor === null ? null : Buffer.from(cursor, 'base64url').toString()
  const all = [...world.runs].map(([id, held]) => ({ id, ...held, key: order({ createdAt: held.createdAt, id }) }))
  const wanted = all
    .filter((run) => run.tenant === tenant && (!status || run.status === status) && (from === null || run.key < from))
    .sort((a, b) => (a.key < b.key ? 1 : -1))
  const page = wanted.slice(0, limit)
  const last = page.at(-1)
  return {
    ids: page.map(({ id }) => id),
    next: last && page.length === limit ? Buffer.from(last.key).toString('base64url') : null,
  }
}

const writes = (
  world: World,
): Pick<RunStore, 'create' | 'begin' | 'commit' | 'countError' | 'uncountStart' | 'appendDraft'> => ({
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
  begin: async (runId, taskId, fence, { isolated }) => begin(world, runId, taskId, fence, isolated),
  commit: async (move) => commit(world, move),
  countError: async (runId, taskId, fence) => {
    const delivery = owned(world, runId, taskId, fence)
    if (!delivery) return null
    if (delivery.erredAs === fence) return delivery.errors
    delivery.erredAs = fence
    giveBack(delivery)
    return (delivery.errors += 1)
  },
  uncountStart: async (runId, taskId, fence) => {
    const delivery = owned(world, runId, taskId, fence)
    if (!delivery) return
    giveBack(delivery)
    delete delivery.fence
  },
  appendDraft: async (runId, { taskId, start, text }) => {
    const held = world.runs.get(runId)
    const delivery = held?.deliveries.get(taskId)
    if (!held || !delivery || delivery.starts !== start) return
    held.draft.push({ id: world.nextId(), delta: { taskId, start: start + delivery.handedBack, text } })
  },
})

const reads = (world: World): Pick<RunStore, 'load' | 'loadMany' | 'evidence' | 'ledger' | 'draft' | 'list'> => ({
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
  draft: async (runId, from) => structuredClone(after(world.runs.get(runId)?.draft ?? [], from)),
  list: async (tenant, page) => list(world, tenant, page),
})

const schedules = (world: World): Pick<RunStore, 'schedule' | 'unschedule' | 'takeDue'> => {
  const laneOf = (lane: string): Map<string, number> => {
    const known = world.lanes.get(lane) ?? new Map<string, number>()
    world.lanes.set(lane, known)
    return known
  }
  return {
    schedule: async ({ lane, runId }, at) => void laneOf(lane).set(runId, at),
    unschedule: async ({ lane, runId }) => void laneOf(lane).delete(runId),
    takeDue: async (lane, limit, againInMs) => {
      const now = world.now()
      const due = [...laneOf(lane)].filter(([, at]) => at <= now).sort((a, b) => a[1] - b[1])
      const ids = due.slice(0, limit).map(([id]) => id)
      for (const id of ids) laneOf(lane).set(id, now + againInMs)
      return ids
    },
  }
}

/** The fake of the store, for the specs of what stands on it. It keeps text, so that nobody holds a piece of its state. */
export const memoryRunStore = ({ now = () => Date.now() }: Options = {}): MemoryRunStore => {
  let last = 0
  const nextId = (): string => `${String((last += 1)).padStart(13, '0')}-0`
  const world: World = { runs: new Map(), lanes: new Map(), listeners: new Set(), nextId, now }
  return {
    ...writes(world),
    ...reads(world),
    ...schedules(world),
    now: async () => now(),
    subscribe: async (onRun) => {
      const own = (runId: string): void => onRun(runId)
      world.listeners.add(own)
      return async () => void world.listeners.delete(own)
    },
    forget: (runId) => void world.runs.delete(runId),
    snapshot: (runId) => {
      const kept = structuredClone(world.runs.get(runId))
      return () => void (kept ? world.runs.set(runId, structuredClone(kept)) : world.runs.delete(runId))
    },
  }
}
