import { Injectable } from '@nestjs/common'
import type { HeldSchedule } from './store/schedules'
import type { NewSchedule, ScheduleList, ScheduleView } from '@plumbline/contracts'
import { cronFault, nextByCron } from '@plumbline/hosting/cron'
import { DelegatedCallers } from '@plumbline/gateway/admission/delegated-caller.service'
import type { Caller } from '@plumbline/gateway/http/authenticate'
import { accessOf, coversAccess } from '@plumbline/gateway/http/caller'
import { notFound, Refusal, wrongField } from '@plumbline/gateway/http/problem'
import { contentHash, newId } from '@plumbline/gateway/http/request-values'
import { withGatewayTimeout } from '@plumbline/gateway/ports'
import { SchedulePorts } from './schedule-ports'
import { iso } from '@plumbline/gateway/present/answer'
import type { Reader } from '@plumbline/gateway/runs/runs.service'

/** Returns whether the reader has all access tags of the caller who created the schedule. */
const mayRead = ({ access }: Reader, { schedule }: HeldSchedule): boolean => coversAccess(access, schedule.asker.access)

const collectionsIn = ({ collection }: Pick<NewSchedule, 'collection'>) => {
  if (collection === undefined) return {}
  const collections = [collection].flat()
  const [only, ...others] = collections
  return { collections, ...(only !== undefined && others.length === 0 && { collection: only }) }
}

const viewOf = ({ schedule, state }: HeldSchedule): ScheduleView => {
  const { id, ask, when, createdAt, asker } = schedule
  const { stopped, next, running, answer, outcomes } = state
  return {
    id,
    question: ask.question,
    ...(ask.policy !== undefined && { policy: ask.policy }),
    ...collectionsIn(ask),
    when,
    status: stopped ? 'stopped' : 'active',
    ...(stopped && { stopped: { ...stopped, at: iso(stopped.at) } }),
    createdAt: iso(createdAt),
    createdBy: asker.name,
    ...(next !== undefined && { nextRunAt: iso(next) }),
    ...(running && { running: running.runId }),
    ...(answer && { answer: { runId: answer.runId, documents: Object.keys(answer.documents) } }),
    outcomes,
  }
}

@Injectable()
export class Schedules {
  constructor(
    private readonly schedulePorts: SchedulePorts,
    private readonly askers: DelegatedCallers,
  ) {}

  async create(caller: Caller, told: NewSchedule, key: string | undefined): Promise<ScheduleView> {
    this.askers.refuseToken(caller)
    accessOf(caller, told.access)
    const { tenant } = caller
    const now = Date.now()
    const id = newId('s', tenant, key)
    const { when, ...ask } = told
    const schedule = { id, tenant, ask, when, asker: this.askers.keep(caller), createdAt: now }
    const state = { next: this.firstTime(told, now), outcomes: [] }
    const body = key === undefined ? '' : contentHash(told)
    const made = await withGatewayTimeout(() => this.schedulePorts.schedules.create(schedule, state, body))
    if (made === 'conflict')
      throw new Refusal('idempotency-key-reused', 'Send the same body again, or use a new Idempotency-Key.')
    if (made === 'too-many')
      throw new Refusal(
        'too-many-schedules',
        'This tenant already has 100 schedules, which is the limit. Remove a schedule that is not needed, then add the new one.',
      )
    return this.view(caller, id)
  }

  async list(caller: Caller): Promise<ScheduleList> {
    const all = await withGatewayTimeout(() => this.schedulePorts.schedules.all(caller.tenant))
    return { items: all.filter((held) => mayRead(caller, held)).map(viewOf) }
  }

  async view(caller: Caller, id: string): Promise<ScheduleView> {
    return viewOf(await this.get(caller, id))
  }

  async remove(caller: Caller, id: string): Promise<void> {
    await this.get(caller, id)
    await withGatewayTimeout(() => this.schedulePorts.schedules.remove(caller.tenant, id))
  }

  private async get(caller: Caller, id: string): Promise<HeldSchedule> {
    const held = await withGatewayTimeout(() => this.schedulePorts.schedules.one(caller.tenant, id))
    if (!held || !mayRead(caller, held)) throw notFound('schedule')
    return held
  }

  private firstTime({ when }: NewSchedule, now: number): number {
    if (when.by === 'change') return now
    try {
      return nextByCron(when.cron, when.timeZone, now)
    } catch (cause) {
      throw wrongField('when.cron', cronFault(cause))
    }
  }
}
