import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { keepFollowing } from '@plumbline/hosting/looks'
import { afterDecision } from '../cases/after-decision'
import { PORTS, type GatewayPorts } from '../ports'
import { Runs } from '../runs/runs.service'
import { dueDecisions } from './due-decisions'

/** With `againInMs` of what is due together less than a second: a decision counts in time although the gateway that took it up was killed. */
const dueEveryMs = 200
const afterEveryMs = 500

/** Sees to it that decisions count when they are due, and to what follows once they do. */
@Injectable()
export class Decided implements OnModuleInit, OnApplicationShutdown {
  private following: ReturnType<typeof keepFollowing>[] = []

  constructor(
    @Inject(PORTS) private readonly ports: GatewayPorts,
    private readonly runs: Runs,
  ) {}

  onModuleInit(): void {
    this.following = [
      keepFollowing(dueEveryMs, dueDecisions(this.ports, this.runs), 'decisions that are due wait for the store'),
      keepFollowing(afterEveryMs, afterDecision(this.ports), 'what follows from decisions is done later'),
    ]
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.following.map((each) => each.stop()))
  }
}
