import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { pollDue } from '@plumbline/hosting/due-queue'
import { Common, ReviewPorts, RunPorts } from '../ports'
import { Runs } from '../runs/runs.service'
import { dueDecisions } from './due-decisions'
import { DecisionHooks, followDecisions } from './follow-decisions'

/**
 * Decisions take effect within a second only if the sum of this interval and `againInMs` in due-decisions.ts is less
 * than a second.
 */
const dueEveryMs = 200
const afterEveryMs = 500

@Injectable()
export class DecisionPoller implements OnModuleInit, OnApplicationShutdown {
  private following: ReturnType<typeof pollDue>[] = []

  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly reviewPorts: ReviewPorts,
    private readonly hooks: DecisionHooks,
    private readonly runs: Runs,
  ) {}

  onModuleInit(): void {
    const ports = { ...this.common, ...this.runPorts, ...this.reviewPorts }
    this.following = [
      pollDue(dueEveryMs, dueDecisions(ports, this.runs), 'decisions cannot take effect: store not responding'),
      pollDue(afterEveryMs, followDecisions(ports, this.hooks), 'follow-up of decisions failed: retrying'),
    ]
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.following.map((each) => each.stop()))
  }
}
