import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { acceptDocument } from '@plumbline/adapters/files/intake'
import type { FlagRow, RereadRow } from '@plumbline/adapters/redis/flags/flags'
import type { RereadDocument } from '@plumbline/contracts'
import { pollDue } from '@plumbline/hosting/due-queue'
import { DelegatedCallers } from '../admission/delegated-caller.service'
import { waitOf } from '../admission/wait'
import { DocumentOrigins } from '../feature'
import type { Caller } from '../http/authenticate'
import { refusalOf } from '../http/problem'
import { Common, RunPorts, DocumentPorts, ReviewPorts, withGatewayTimeout } from '../ports'
import { iso } from '../present/answer'
import { bounds } from '../settings'
import { FlagFixes } from './flag-fixes.service'

const everyMs = 1_000
/** After this time, the question is asked again even if some of the cited documents have not been read again yet. */
const patienceMs = 3_600_000
/** If a gateway crashes during a request, the flag is checked after this time. No request takes this long. */
const crashedMs = 120_000

const memberOf = (tenant: string, id: string): string => `${tenant}/${id}`
const stillReading = new Set<string | undefined>(['queued', 'processing'])

@Injectable()
export class Rereads implements OnModuleInit, OnApplicationShutdown {
  private polling: ReturnType<typeof pollDue> | undefined

  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly documentPorts: DocumentPorts,
    private readonly reviewPorts: ReviewPorts,
    private readonly origins: DocumentOrigins,
    private readonly fixes: FlagFixes,
    private readonly askers: DelegatedCallers,
  ) {}

  onModuleInit(): void {
    const { flags } = this.reviewPorts
    const { log } = this.common
    this.polling = pollDue(
      everyMs,
      {
        queue: flags.rereads,
        batchSize: 20,
        againInMs: 10_000,
        handle: (member, now) => {
          const [tenant = '', id = ''] = member.split('/')
          return this.follow(tenant, id, now)
        },
        failed: 're-reading of flagged documents failed: retrying',
        log,
      },
      're-reading of flagged documents paused: store not responding',
    )
  }

  async onApplicationShutdown(): Promise<void> {
    await this.polling?.stop()
  }

  /**
   * Reads the cited documents of a flagged answer again. The check that follows is scheduled before the request is
   * stored, so that a crash loses no request.
   */
  async begin(caller: Caller, row: FlagRow, { by, note }: { by: string; note?: string | undefined }): Promise<void> {
    const { tenant } = caller
    const { flags } = this.reviewPorts
    const now = await this.runPorts.store.now()
    const member = memberOf(tenant, row.id)
    await flags.rereads.schedule(member, now + crashedMs)
    const versions = await this.versionsOf(tenant, row)
    const documents = await this.request(tenant, row)
    const reread = { by, at: iso(now), ...(note && { note }), documents }
    await flags.put(
      tenant,
      { ...row, reread: { ...reread, asker: this.askers.keep(caller), since: now, versions } },
      Date.parse(row.flaggedAt),
    )
    await flags.rereads.schedule(member, now)
  }

  private async versionsOf(tenant: string, { documents }: FlagRow): Promise<Record<string, string>> {
    const { catalog } = this.documentPorts
    const views = await Promise.all(documents.map(({ id }) => withGatewayTimeout(() => catalog.document(tenant, id))))
    return Object.fromEntries(views.flatMap((view) => (view ? [[view.id, view.version ?? '']] : [])))
  }

  private async request(tenant: string, { documents }: FlagRow): Promise<RereadDocument[]> {
    const running = new Map<string, Promise<boolean>>()
    const run = (name: string): Promise<boolean> => {
      const requested = running.get(name) ?? withGatewayTimeout(() => this.origins.run(tenant, name))
      running.set(name, requested)
      return requested
    }
    return Promise.all(documents.map((document) => this.requestOne(tenant, document, run)))
  }

  private async requestOne(
    tenant: string,
    document: FlagRow['documents'][number],
    run: (source: string) => Promise<boolean>,
  ): Promise<RereadDocument> {
    const { catalog, files, ingest: queue } = this.documentPorts
    const found = await withGatewayTimeout(() => catalog.requested(tenant, document.id))
    if (!found) return { ...document, state: 'removed' }
    const { source: origin, from, ...fields } = found
    if (from && (await run(from.source))) return { ...document, from: 'source', source: from.source, state: 'waiting' }
    if (from || origin?.kind !== 'url') return { ...document, state: 'unchanged' }
    await acceptDocument(
      { catalog, files, queue },
      tenant,
      fields,
      { kind: 'url', url: origin.url },
      {
        signal: AbortSignal.timeout(bounds.searchMs),
      },
    )
    return { ...document, from: 'address', state: 'waiting' }
  }

  private async follow(tenant: string, id: string, now: number): Promise<'done' | { at: number }> {
    const row = await this.reviewPorts.flags.get(tenant, id)
    if (!row?.reread || row.status === 'fixed' || row.reread.problem !== undefined) return 'done'
    const { reread } = row
    const isLate = now - reread.since >= patienceMs
    const documents = await Promise.all(
      reread.documents.map((document) => this.stateOf(tenant, document, reread, isLate)),
    )
    if (documents.some(({ state }) => state === 'waiting')) return { at: now + everyMs }
    return this.finish(tenant, { ...row, reread: { ...reread, documents } }, now)
  }

  private async stateOf(
    tenant: string,
    document: RereadDocument,
    { versions }: RereadRow,
    isLate: boolean,
  ): Promise<RereadDocument> {
    if (document.state !== 'waiting') return document
    const { source } = document
    const isImporting = source !== undefined && (await this.origins.isRunning(tenant, source))
    const view = await this.documentPorts.catalog.document(tenant, document.id)
    if (isImporting || stillReading.has(view?.status)) return isLate ? { ...document, state: 'late' } : document
    if (!view) return { ...document, state: 'removed' }
    if (view.status === 'failed') return { ...document, state: 'failed' }
    return { ...document, state: view.version === versions[document.id] ? 'unchanged' : 'changed' }
  }

  /** Asks the question again with the rights that the reviewer's key has now. */
  private async finish(
    tenant: string,
    row: FlagRow & { reread: RereadRow },
    now: number,
  ): Promise<'done' | { at: number }> {
    const { reread } = row
    try {
      await this.fixes.askAgain(await this.askers.now(tenant, reread.asker, 'reviewer'), row, reread)
      return 'done'
    } catch (error) {
      const refusal = refusalOf(error)
      const wait = waitOf(refusal)
      if (wait) return { at: now + wait.ms }
      if (refusal.problem.status >= 500) throw error
      const stopped = { ...row, reread: { ...reread, problem: refusal.problem.detail } }
      await this.reviewPorts.flags.put(tenant, stopped, Date.parse(row.flaggedAt))
      return 'done'
    }
  }
}
