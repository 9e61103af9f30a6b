import { Injectable } from '@nestjs/common'
import type { NewSource, SourceList, SourceView } from '@plumbline/contracts'
import { faultOfSource } from './connectors/check-source'
import { cronFault } from '@plumbline/hosting/cron'
import { nextRunAfter } from './store/next-run'
import { notFound, Refusal, wrongField } from '@plumbline/gateway/http/problem'
import { withGatewayTimeout } from '@plumbline/gateway/ports'
import { SourcePorts } from './source-ports'

const leaves = (): Refusal =>
  new Refusal(
    'source-leaves',
    'The source is being removed. Wait until the removal is finished, then add the source again.',
  )

@Injectable()
export class Sources {
  constructor(private readonly sourcePorts: SourcePorts) {}

  async list(tenant: string): Promise<SourceList> {
    return { items: await withGatewayTimeout(() => this.sourcePorts.sources.all(tenant)) }
  }

  async get(tenant: string, name: string): Promise<SourceView> {
    const view = await withGatewayTimeout(() => this.sourcePorts.sources.one(tenant, name))
    if (!view) throw notFound('source')
    return view
  }

  /** A source with an interval is synced at once, so that changed rules take effect soon. */
  async put(tenant: string, name: string, told: NewSource): Promise<SourceView> {
    const before = await withGatewayTimeout(() => this.sourcePorts.sources.one(tenant, name))
    if (before && before.documents > 0 && before.collection !== told.collection)
      throw new Refusal(
        'source-has-documents',
        `The source has imported ${before.documents} documents into ${before.collection}. To fill ${told.collection} instead, remove the source together with its documents, then add the source again.`,
      )
    const fault = await faultOfSource(told.settings, this.sourcePorts.optionsOf(tenant))
    if (fault !== null) throw wrongField('settings', fault)
    const next = this.firstRun(told)
    const put = await withGatewayTimeout(() => this.sourcePorts.sources.put(tenant, name, { told, next }))
    if (put === 'removing') throw leaves()
    if (put === 'too-many')
      throw new Refusal(
        'too-many-sources',
        'This tenant already has 100 sources, which is the limit. Remove a source that is not needed, then add the new one.',
      )
    return this.get(tenant, name)
  }

  async run(tenant: string, name: string, confirmRemovals: boolean): Promise<SourceView> {
    const noted = await withGatewayTimeout(() => this.sourcePorts.sources.run(tenant, name, confirmRemovals))
    if (noted === 'removing') throw leaves()
    if (noted === 'gone') throw notFound('source')
    return this.get(tenant, name)
  }

  async remove(tenant: string, name: string, documents: 'keep' | 'remove'): Promise<void> {
    const noted = await withGatewayTimeout(() => this.sourcePorts.sources.remove(tenant, name, documents))
    if (noted === 'gone') throw notFound('source')
  }

  private firstRun({ schedule }: NewSource): number | null {
    const now = Date.now()
    if (schedule.by === 'interval') return now
    try {
      return nextRunAfter(schedule, now)
    } catch (cause) {
      throw wrongField('schedule.cron', cronFault(cause))
    }
  }
}
