import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { pollDue } from '@plumbline/hosting/due-queue'
import { onDecision } from '../cases/on-decision'
import { PORTS, type GatewayPorts } from '../ports'
import { Runs } from '../runs/runs.service'
import { dueDecisions } from './due-decisions'

/** This interval plus `againInMs` must stay below a second, so that decisions take effect in time. */
const dueEveryMs = 200
const afterEveryMs = 500

@Injectable()
export class DecisionPoller implements OnModuleInit, OnApplicationShutdown {
  private following: ReturnType<typeof pollDue>[] = []

  constructor(
    @Inject(PORTS) private readonly ports: GatewayPorts,
    private readonly runs: Runs,
  ) {}

  onModuleInit(): void {
    this.following = [
      pollDue(dueEveryMs, dueDecisions(this.ports, this.runs), 'due decisions are waiting for the store'),
      pollDue(afterEveryMs, onDecision(this.ports), 'follow-up of decisions failed: retrying'),
    ]
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.following.map((each) => each.stop()))
  }
}
