import type { OpenRun } from '../store/source-runs'
import { sourceIdOf, sourceKeyOf } from '../store/sources'
import type { SourceLastRun } from '@plumbline/contracts'
import { type DueHandler, pollDue } from '@plumbline/hosting/due-queue'
import { nextRunAfter } from '../store/next-run'
import { tenantLimit } from '@plumbline/platform/tenant-limit'
import { removeSource } from './removal/remove-source'
import { renewLease } from './run/renew-lease'
import { countsOf, failuresOf, LostSource, openTally, type SyncPorts, type SourceRun } from './run/source-run'
import { syncSource } from './sync-source'

/** At most `atOnce` sources sync at the same time. At most half of these sources belong to one tenant. */
const sourceLimits = { everyMs: 1_000, perLook: 20, againInMs: 10_000, atOnce: 4, whenFullMs: 2_000 }
type SourceLimits = typeof sourceLimits

const nextDueTime = ({ source, now }: OpenRun): number | null => nextRunAfter(source.schedule, now)

const work = async (run: SourceRun): Promise<void> => {
  const { ports, open, tally } = run
  if (open.removing !== null) {
    await removeSource(run)
    await ports.runs.forgetSource(open)
    return
  }
  const ended = await syncSource(run)
  const last: SourceLastRun = {
    startedAt: new Date(open.now).toISOString(),
    endedAt: new Date().toISOString(),
    counts: countsOf(tally),
    failures: failuresOf(tally),
    ...ended,
  }
  await ports.runs.end(open, last, nextDueTime(open))
  ports.log.info({ source: open.name, tenant: open.tenant, ...last.counts, ...ended }, 'source synced')
}

const runSource = async (ports: SyncPorts, open: OpenRun, stopped: AbortSignal): Promise<void> => {
  const tally = openTally()
  const lease = renewLease(ports, open, tally, stopped)
  const began = performance.now()
  let mayContinue = false
  try {
    await lease.first
    await work({ ports, open, tally, signal: lease.signal, isRunRequested: lease.isRunRequested })
    mayContinue = true
    ports.measure?.('done', performance.now() - began, countsOf(tally))
  } catch (error) {
    // A run that failed is retried later. If this process only stops, another process may continue the run at once.
    ports.measure?.('broken', performance.now() - began, countsOf(tally))
    mayContinue = lease.signal.aborted && !(error instanceof LostSource)
    ports.log[mayContinue ? 'info' : 'warn'](
      { err: error, source: open.name, tenant: open.tenant },
      'source run interrupted',
    )
  } finally {
    await lease.stop()
    await ports.runs.leave(open).catch(() => undefined)
    // Schedule the source for now, because another run may have been requested during this run.
    if (mayContinue) await ports.runs.schedule(sourceIdOf(open), Date.now()).catch(() => undefined)
  }
}

/** Syncs the sources that are due. If several processes try to sync one source, only the first one gets the lease. */
export const startSources = (ports: SyncPorts, limits: SourceLimits = sourceLimits): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  const runs = new Map<string, Promise<void>>()
  const limit = tenantLimit(limits.atOnce)
  const handle: DueHandler['handle'] = async (id, now) => {
    const key = sourceKeyOf(id)
    if (runs.has(id) || stopping.signal.aborted) return 'again'
    if (limit.full(key.tenant)) return { at: now + limits.whenFullMs }
    const free = limit.take(key.tenant)
    const begun = await ports.runs.begin(key).catch((error: unknown) => {
      free()
      throw error
    })
    if (begun.kind === 'open') {
      const running = runSource(ports, begun.open, stopping.signal).finally(() => {
        free()
        runs.delete(id)
      })
      runs.set(id, running)
      return 'again'
    }
    free()
    return begun.kind === 'gone' || (begun.kind === 'early' && begun.next === null) ? 'done' : 'again'
  }
  const { perLook, againInMs } = limits
  const due = {
    queue: ports.runs,
    batchSize: perLook,
    againInMs,
    handle,
    failed: 'source not processed',
    log: ports.log,
  }
  const polling = pollDue(limits.everyMs, due, 'sources not processed: retrying')
  return {
    stop: async () => {
      stopping.abort(new Error('the worker is stopping'))
      await polling.stop()
      await Promise.all(runs.values())
    },
  }
}
