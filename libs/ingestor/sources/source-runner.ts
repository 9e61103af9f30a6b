import { sourceIdOf, sourceKeyOf, type OpenRun } from '@plumbline/adapters/redis'
import type { SourceLastRun } from '@plumbline/contracts'
import { type DueHandler, pollDue } from '@plumbline/hosting/due-queue'
import { nextRunAfter } from '@plumbline/hosting/sources/schedule'
import { tenantLimit } from '@plumbline/platform/tenant-limit'
import { leaveSource } from './leave-source'
import { keepSource } from './keep-source'
import { countsOf, failuresOf, LostSource, openTally, type SourcePorts, type SourceRun } from './source-run'
import { syncSource } from './sync-source'

/** `atOnce`: the sources that one process works on at once. At most half of them belong to one tenant. */
const sourceLimits = { everyMs: 1_000, perLook: 20, againInMs: 10_000, atOnce: 4, whenFullMs: 2_000 }
type SourceLimits = typeof sourceLimits

/**
 * Returns the next due time after the start of this run.
 * Runs that were missed before the start are not repeated. A run that became due during this one is due at once.
 */
const nextOf = ({ source, now }: OpenRun): number | null => nextRunAfter(source.schedule, now)

const work = async (run: SourceRun): Promise<void> => {
  const { ports, open, tally } = run
  if (open.removing !== null) {
    await leaveSource(run)
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
  await ports.runs.end(open, last, nextOf(open))
  ports.log.info(
    { source: open.name, tenant: open.tenant, ...last.counts, ...ended },
    'a source was brought up to date',
  )
}

/** Runs a source once, from its lease to its end. If the run breaks off, the next run continues. */
const runSource = async (ports: SourcePorts, open: OpenRun, stopped: AbortSignal): Promise<void> => {
  const tally = openTally()
  const kept = keepSource(ports, open, tally, stopped)
  const began = performance.now()
  let goesOn = false
  try {
    await kept.first
    await work({ ports, open, tally, signal: kept.signal, isAskedAgain: kept.isAskedAgain })
    goesOn = true
    ports.measure?.('done', performance.now() - began, countsOf(tally))
  } catch (error) {
    // A run that failed by itself is retried at the next check, and not at once.
    ports.measure?.('broken', performance.now() - began, countsOf(tally))
    goesOn = kept.signal.aborted && !(error instanceof LostSource)
    ports.log[goesOn ? 'info' : 'warn'](
      { err: error, source: open.name, tenant: open.tenant },
      'a run of a source broke off',
    )
  } finally {
    await kept.stop()
    await ports.runs.leave(open).catch(() => undefined)
    // Check again at once, so that a request made during the run is not missed.
    if (goesOn) await ports.runs.schedule(sourceIdOf(open), Date.now()).catch(() => undefined)
  }
}

/** Starts the runs of sources that are due. The first process that begins a run has it. */
export const startSources = (ports: SourcePorts, limits: SourceLimits = sourceLimits): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  const limit = tenantLimit(limits.atOnce)
  const follow: DueHandler['handle'] = async (id, now) => {
    const key = sourceKeyOf(id)
    if (underWay.has(id) || stopping.signal.aborted) return 'again'
    if (limit.full(key.tenant)) return { at: now + limits.whenFullMs }
    const free = limit.take(key.tenant)
    const begun = await ports.runs.begin(key).catch((error: unknown) => {
      free()
      throw error
    })
    if (begun.kind === 'open') {
      const running = runSource(ports, begun.open, stopping.signal).finally(() => {
        free()
        underWay.delete(id)
      })
      underWay.set(id, running)
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
    handle: follow,
    failed: 'a source could not be looked after',
    log: ports.log,
  }
  const looking = pollDue(limits.everyMs, due, 'sources cannot be looked after; trying again')
  return {
    stop: async () => {
      stopping.abort(new Error('the worker stops'))
      await looking.stop()
      await Promise.all(underWay.values())
    },
  }
}
