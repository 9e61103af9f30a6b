import type { DocumentFiles } from '@plumbline/adapters/files/document-files'
import type { IngestCatalog, IngestJob } from '@plumbline/adapters/redis'
import type { Log } from '@plumbline/platform'

type Ports = {
  catalog: Pick<IngestCatalog, 'takeDue' | 'needed'>
  files: Pick<DocumentFiles, 'sweep'>
  queue: { heal(job: IngestJob): Promise<boolean> }
  log: Pick<Log, 'info' | 'warn'>
}

export const maintenanceLimits = {
  everyMs: 2_000,
  againInMs: 30_000,
  perLook: 50,
  looks: 20,
  filesEveryMs: 3_600_000,
  untouchedMs: 3_600_000,
}

/** Jobs that were lost are added again. Runs in any number of processes: what is due is taken by one of them. */
export const healJobs = async ({ catalog, queue, log }: Ports): Promise<number> => {
  let healed = 0
  for (let look = 0; look < maintenanceLimits.looks; look += 1) {
    const { taken, jobs } = await catalog.takeDue(maintenanceLimits.perLook, maintenanceLimits.againInMs)
    for (const job of jobs) if (await queue.heal(job)) healed += 1
    if (taken < maintenanceLimits.perLook) break
  }
  if (healed > 0) log.info({ jobs: healed }, 'lost jobs of documents were added again')
  return healed
}

const sweepFiles = async ({ catalog, files, log }: Ports, signal: AbortSignal): Promise<void> => {
  const { removed, unknown } = await files.sweep({
    needed: catalog.needed,
    untouchedMs: maintenanceLimits.untouchedMs,
    signal,
  })
  if (removed > 0) log.info({ removed }, 'files that nobody needs were removed')
  if (unknown > 0)
    log.warn(
      { documents: unknown },
      'the catalog knows none of the documents whose files stand in DATA_DIR; they are left there. Is REDIS_URL the one they were brought with?',
    )
}

/** Looks after documents that are not through, and after files that nobody needs. */
export const startMaintenance = (ports: Ports): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  let looking: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout
  // Some time within the first hour: not all at once, and not never where a process lives for less.
  let sweptAt = performance.now() - Math.random() * maintenanceLimits.filesEveryMs
  const look = async (): Promise<void> => {
    await healJobs(ports)
    if (performance.now() - sweptAt < maintenanceLimits.filesEveryMs) return
    sweptAt = performance.now()
    await sweepFiles(ports, stopping.signal)
  }
  const schedule = (): void => {
    timer = setTimeout(
      () => {
        looking = look()
          .catch(
            (error: unknown) =>
              stopping.signal.aborted ||
              ports.log.warn({ err: error }, 'documents cannot be looked after; trying again'),
          )
          .then(() => {
            if (!stopping.signal.aborted) schedule()
          })
      },
      maintenanceLimits.everyMs * (0.75 + Math.random() / 2),
    )
  }
  schedule()
  return {
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await looking
    },
  }
}
