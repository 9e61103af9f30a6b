import type { DocumentFiles } from '@plumbline/adapters/files/document-files'
import type { IngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import type { IngestJob } from '@plumbline/adapters/redis/documents/open-documents'
import { handleDue } from '@plumbline/hosting/due-queue'
import { type Log, repeat } from '@plumbline/platform'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'

type Ports = {
  catalog: Pick<IngestCatalog, 'takeDue' | 'complete' | 'schedule' | 'jobOf' | 'fileState'>
  files: Pick<DocumentFiles, 'sweep' | 'sweepEveryMs' | 'where'>
  queue: { heal(job: IngestJob): Promise<boolean> }
  index?: Pick<PassageIndex, 'renewOne'>
  keepUnknownMs: number
  log: Pick<Log, 'info' | 'warn'>
}

export const maintenanceLimits = {
  everyMs: 2_000,
  againInMs: 30_000,
  perLook: 50,
  untouchedMs: 3_600_000,
  renewedAtOnce: 200,
}

export const healJobs = async ({ catalog, queue, log }: Omit<Ports, 'keepUnknownMs'>): Promise<number> => {
  let healed = 0
  const { perLook, againInMs } = maintenanceLimits
  const follow = async (id: string): Promise<'again'> => {
    const job = await catalog.jobOf(id)
    if (job && (await queue.heal(job))) healed += 1
    return 'again'
  }
  await handleDue({
    queue: catalog,
    batchSize: perLook,
    againInMs,
    handle: follow,
    failed: 'periodic check of one document failed',
    log,
  })
  if (healed > 0) log.info({ jobs: healed }, 'lost document jobs added again')
  return healed
}

const sweepFiles = async ({ catalog, files, keepUnknownMs, log }: Ports, signal: AbortSignal): Promise<void> => {
  const { removed, unknown } = await files.sweep({
    fileState: catalog.fileState,
    untouchedMs: maintenanceLimits.untouchedMs,
    keepUnknownMs,
    signal,
  })
  if (removed > 0) log.info({ removed }, 'unneeded files removed')
  if (unknown > 0)
    log.warn(
      { documents: unknown, where: files.where },
      'stored documents are missing from the catalog: run the doctor, which lists them and can add them again',
    )
}

/** Updates the search terms of some documents to this version. Returns false if no document is left to update. */
export const renewTerms = async ({ index, log }: Ports, signal: AbortSignal): Promise<boolean> => {
  for (let renewed = 0; renewed < maintenanceLimits.renewedAtOnce; renewed += 1)
    if (!(await index?.renewOne?.(signal))) {
      if (renewed > 0) log.info({}, 'search terms of all indexed documents updated to the format of this version')
      return false
    }
  return true
}

export const startMaintenance = (ports: Ports): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  const { sweepEveryMs } = ports.files
  // Assume that the last sweep was at a random time, so that processes do not sweep at the same time. Otherwise, a
  // process that always ends before the first interval is over would never sweep.
  let sweptAt = performance.now() - Math.random() * sweepEveryMs
  let olderTerms = true
  const look = async (): Promise<void> => {
    await healJobs(ports)
    olderTerms &&= await renewTerms(ports, stopping.signal)
    if (performance.now() - sweptAt < sweepEveryMs) return
    sweptAt = performance.now()
    // Look for older search terms again, because a process of an older version may have written to the index during a
    // rolling upgrade.
    olderTerms = true
    await sweepFiles(ports, stopping.signal)
  }
  const looking = repeat(maintenanceLimits.everyMs, look, (error) =>
    ports.log.warn({ err: error }, 'periodic check of documents failed: retrying'),
  )
  return {
    stop: () => {
      stopping.abort()
      return looking.stop()
    },
  }
}
