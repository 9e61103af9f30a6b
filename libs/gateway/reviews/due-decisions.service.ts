import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import type { WaitingDecision } from '@plumbline/adapters/redis'
import { reviewTask } from '@plumbline/flow'
import { PORTS, type GatewayPorts } from '../ports'
import { Runs } from '../runs/runs.service'
import { needsTwo } from './decisions.service'
import { settleDecision } from './deliberate'

/** Together less than a second: a decision counts in time although the gateway that took it up was killed. */
const everyMs = 200
const againInMs = 400
const perLook = 50
/** After so long nothing comes any more of a decision that was announced and never stood in its run. */
const forgottenMs = 10_000

/** Lets decisions count whose time to be taken back is over, in whichever gateway sees them first. */
@Injectable()
export class DueDecisions implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined
  private looking: Promise<void> = Promise.resolve()
  private isStopped = false
  private isAway = false

  constructor(
    @Inject(PORTS) private readonly ports: GatewayPorts,
    private readonly runs: Runs,
  ) {}

  onModuleInit(): void {
    this.schedule()
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true
    clearTimeout(this.timer)
    await this.looking
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      this.looking = this.look().finally(() => {
        if (!this.isStopped) this.schedule()
      })
    }, everyMs).unref()
  }

  private async look(): Promise<void> {
    try {
      const { now, due } = await this.ports.pendingDecisions.takeDue(perLook, againInMs)
      this.isAway = false
      await Promise.all(due.map((waiting) => this.settle(waiting, now)))
      if (due.length === perLook) await this.look()
    } catch (error) {
      if (!this.isAway) this.ports.log.warn({ err: error }, 'decisions that are due wait for the store')
      this.isAway = true
    }
  }

  private async settle(waiting: WaitingDecision, now: number): Promise<void> {
    const { runId, at } = waiting
    const { store, pendingDecisions, leases, settings, log } = this.ports
    try {
      const run = (await store.load(runId))?.run
      if (run && reviewTask(run)?.pending?.at === at) {
        const fourEyes = needsTwo(settings, run.tenant)
        const reader = { tenant: run.tenant, access: 'all' as const }
        const { run: after } = await this.runs.move(reader, runId, (current, now) =>
          settleDecision(current, { at, now, fourEyes }),
        )
        if (!reviewTask(after)) await leases.drop(run.tenant, runId)
        await pendingDecisions.remove(waiting)
      } else if (!run || !reviewTask(run) || now - at > forgottenMs) await pendingDecisions.remove(waiting)
    } catch (error) {
      log.warn({ err: error, runId }, 'a decision that is due could not be made; it is tried again')
    }
  }
}
