import type { Attempt } from '@plumbline/adapters/providers/resilience'
import type { CountedRow, OpsHistoryStore } from '@plumbline/adapters/redis/ops/history'
import type { Log } from '@plumbline/platform/log'
import { collectionsOf, countEvent, countSearches, type OnMoved } from './count-moves'
import { bucketOf } from './time-buckets'

const everyMs = 2_000
/** The maximum numbers of counters and of abandoned tasks that stay in memory while Redis is unavailable. */
const most = { rows: 500, abandoned: 1_000 }

export type Done = { stage: string; outcome: string; ms: number }

/** These outcomes mean that a job delivery did no work on its task. */
const idle = new Set([
  'stale',
  'gone',
  'closed',
  'suspect',
  'late',
  'fenced',
  'later',
  'error',
  'cancelled',
  'handed-back',
  'abandoned',
])

export const rowNames = {
  stage: (stage: string): string => JSON.stringify(['stage', stage]),
  /** `name` is the name of a model together with its host. */
  model: (name: string): string => JSON.stringify(['model', name]),
  runs: (tenant: string, policy: string): string => JSON.stringify(['runs', tenant, policy]),
  /** All tenants and policies beyond the limit of rows share this row. */
  others: JSON.stringify(['runs', '*', '*']),
  collection: (tenant: string, name: string): string => JSON.stringify(['collection', tenant, name]),
  otherCollections: JSON.stringify(['collection', '*', '*']),
}

export type HistoryRecorder = {
  onMoved: OnMoved
  observe(observed: Done): void
  onAttempt(attempt: Attempt): void
  stop(): Promise<void>
}

type GivenUp = Parameters<OpsHistoryStore['add']>[1]
type NotedEntries = Parameters<OpsHistoryStore['note']>[0]
type Fault = NotedEntries['faults'] extends Map<string, infer F> ? F : never

const noNotedEntries = (): NotedEntries => ({ tenants: new Set(), faults: new Map() })

const commonRowOf = (name: string): string | undefined => {
  if (name.startsWith('["collection"')) return rowNames.otherCollections
  return name.startsWith('["runs"') ? rowNames.others : undefined
}

const openTally = () => {
  let rows = new Map<string, CountedRow>()
  let givenUp: GivenUp = []
  let seen = noNotedEntries()
  const counter = (name: string): ((measure: string, by?: number) => void) => {
    const used = rows.has(name) || rows.size < most.rows ? name : (commonRowOf(name) ?? rowNames.others)
    const row = rows.get(used) ?? { name: used, instead: commonRowOf(name) ?? name, counts: {} }
    rows.set(used, row)
    return (measure, by = 1) => {
      if (by > 0) row.counts[measure] = (row.counts[measure] ?? 0) + by
    }
  }
  return {
    counter,
    note: (entries: GivenUp) => void (givenUp = [...givenUp, ...entries].slice(-most.abandoned)),
    noteTenant: (tenant: string) => void seen.tenants.add(tenant),
    noteFault: (model: string, fault: Fault) => void seen.faults.set(model, fault),
    take: (): [CountedRow[], GivenUp, NotedEntries] => {
      const taken: [CountedRow[], GivenUp, NotedEntries] = [[...rows.values()], givenUp, seen]
      rows = new Map()
      givenUp = []
      seen = noNotedEntries()
      return taken
    },
    putBack: (counted: CountedRow[], entries: GivenUp, before: NotedEntries): void => {
      seen = {
        tenants: before.tenants.union(seen.tenants),
        faults: new Map([...before.faults, ...seen.faults]),
      }
      for (const { name, counts } of counted) {
        const count = counter(name)
        for (const [measure, by] of Object.entries(counts)) count(measure, by)
      }
      givenUp = [...entries, ...givenUp].slice(-most.abandoned)
    },
  }
}

export const recordHistory = (
  history: Pick<OpsHistoryStore, 'add' | 'note'>,
  log: Pick<Log, 'debug'>,
): HistoryRecorder => {
  const tally = openTally()
  const flush = async (): Promise<void> => {
    const [rows, givenUp, seen] = tally.take()
    if (rows.length + givenUp.length === 0) return
    try {
      await history.note(seen, Date.now())
      await history.add(rows, givenUp, Date.now())
    } catch (error) {
      log.debug({ err: error }, 'counts for the ops history not stored: retrying when the store is available')
      tally.putBack(rows, givenUp, seen)
    }
  }
  let flushing = Promise.resolve()
  const flushNext = (): Promise<void> => (flushing = flushing.then(flush))
  const timer = setInterval(() => void flushNext(), everyMs).unref()
  return {
    onMoved: ({ run, events }) => {
      const { id: runId, tenant, policy } = run
      tally.noteTenant(tenant)
      const count = tally.counter(rowNames.runs(tenant, policy.name))
      const searched = collectionsOf(run).map((name) => tally.counter(rowNames.collection(tenant, name)))
      for (const event of events) {
        countEvent(run, event, count)
        for (const countOf of searched) countSearches(run, event, countOf)
        if (event.type === 'abandoned') {
          const { task: taskId = '', reason, at } = event
          tally.note([{ runId, taskId, tenant, policy: policy.name, reason, at }])
        }
      }
    },
    observe: ({ stage, outcome, ms }) => {
      const count = tally.counter(rowNames.stage(stage))
      if (outcome === 'abandoned') count('failed')
      if (!idle.has(outcome)) count(bucketOf(ms))
    },
    onAttempt: ({ model, host, ms, error }) => {
      const name = `${model} at ${host}`
      const count = tally.counter(rowNames.model(name))
      if (error === undefined) return count(bucketOf(ms))
      count('failed')
      tally.noteFault(name, { at: Date.now(), error })
    },
    stop: async () => {
      clearInterval(timer)
      await flushNext()
    },
  }
}
