import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { type HeldSchedule, ofScheduleMember, type ScheduleState } from './store/schedules'
import type { ScheduleOutcome } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import { pollDue } from '@plumbline/hosting/due-queue'
import { nextByCron } from '@plumbline/hosting/cron'
import { DelegatedCallers } from '@plumbline/gateway/admission/delegated-caller.service'
import { waitOf } from '@plumbline/gateway/admission/wait'
import { type Refusal, refusalOf } from '@plumbline/gateway/http/problem'
import { newId } from '@plumbline/gateway/http/request-values'
import { Common, RunPorts } from '@plumbline/gateway/ports'
import { SchedulePorts } from './schedule-ports'
import { hasEnded, iso } from '@plumbline/gateway/present/answer'
import { Asks } from '@plumbline/gateway/runs/ask.service'
import { comparedOf } from './compare'

const everyMs = 500
const lookEveryMs = 2_000
const outcomesKept = 20
/** A schedule that waits for changed documents has no fixed times. After a failure, it asks again after this time. */
const afterFailureMs = 3_600_000
const failures = new Set<ScheduleOutcome['status']>(['failed', 'expired', 'refused', 'gone'])

type Next = 'done' | 'again' | { at: number }
type Running = NonNullable<ScheduleState['running']>

const nextOf = ({ when }: HeldSchedule['schedule'], now: number): number | undefined =>
  when.by === 'cron' ? nextByCron(when.cron, when.timeZone, now) : undefined
const keyOf = ({ id }: HeldSchedule['schedule'], at: number): string => `schedule ${id} ${at}`

/**
 * Asks the questions of schedules that are due. Stores each step with a compare-and-set before asking, so that only one
 * of several gateways asks the question.
 */
@Injectable()
export class Scheduler implements OnModuleInit, OnApplicationShutdown {
  private following: ReturnType<typeof pollDue> | undefined

  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly schedulePorts: SchedulePorts,
    private readonly asks: Asks,
    private readonly askers: DelegatedCallers,
  ) {}

  onModuleInit(): void {
    const { schedules } = this.schedulePorts
    const { log } = this.common
    this.following = pollDue(
      everyMs,
      {
        queue: schedules,
        batchSize: 50,
        againInMs: 10_000,
        handle: async (member, now) => {
          const { tenant, id } = ofScheduleMember(member)
          const held = await schedules.one(tenant, id)
          return held ? this.follow(held, now) : 'done'
        },
        failed: 'schedule could not be continued: retrying',
        log,
      },
      'schedules paused: store not responding',
    )
  }

  async onApplicationShutdown(): Promise<void> {
    await this.following?.stop()
  }

  private async follow(held: HeldSchedule, now: number): Promise<Next> {
    const { running, stopped } = held.state
    if (stopped) return 'done'
    if (running) return this.goOn(held, running, now)
    return (await this.isDue(held, now)) ? this.begin(held, now) : this.wait(held, now)
  }

  private wait({ schedule, state }: HeldSchedule, now: number): Next {
    return { at: schedule.when.by === 'cron' ? (state.next ?? now) : now + lookEveryMs }
  }

  private async isDue({ schedule, state }: HeldSchedule, now: number): Promise<boolean> {
    if (state.next !== undefined) return state.next <= now
    const documents = state.answer?.documents ?? {}
    const marks = await this.schedulePorts.schedules.documentMarks(schedule.tenant, Object.keys(documents))
    return Object.entries(documents).some(([id, mark]) => marks[id] !== mark)
  }

  private async begin(held: HeldSchedule, now: number): Promise<Next> {
    const { schedule, state } = held
    const key = keyOf(schedule, state.next ?? now)
    const { schedules } = this.schedulePorts
    const documents = await schedules.documentMarks(schedule.tenant, Object.keys(state.answer?.documents ?? {}))
    const running = { runId: newId('r', schedule.tenant, key), key, at: now, asked: false, documents }
    const begun = await schedules.note(held, { ...state, next: nextOf(schedule, now), running })
    return begun ? this.ask(begun, running, now) : 'again'
  }

  private async ask(held: HeldSchedule, running: Running, now: number): Promise<Next> {
    const { tenant, ask, asker } = held.schedule
    try {
      const caller = await this.askers.now(tenant, asker).catch((error: unknown) => this.stop(held, error, now))
      if (!caller) return 'done'
      await this.asks.ask(caller, { ...ask, class: 'batch' }, running.key)
    } catch (error) {
      const refusal = refusalOf(error)
      const wait = waitOf(refusal)
      if (wait) return { at: now + wait.ms }
      return this.settle(held, this.refused(running, refusal), now)
    }
    await this.schedulePorts.schedules.note(held, { ...held.state, running: { ...running, asked: true } })
    return { at: now + lookEveryMs }
  }

  private async goOn(held: HeldSchedule, running: Running, now: number): Promise<Next> {
    const run = (await this.runPorts.store.load(running.runId))?.run
    if (!run && !running.asked) return this.ask(held, running, now)
    if (run && !hasEnded(run)) return { at: now + lookEveryMs }
    return run ? this.compare(held, running, run, now) : this.settle(held, this.outcome(running, 'gone'), now)
  }

  private async compare(held: HeldSchedule, running: Running, run: Run, now: number): Promise<Next> {
    const { schedules } = this.schedulePorts
    const { store } = this.runPorts
    const { answer: before } = held.state
    const compared = await comparedOf(store, run)
    const outcome = this.outcome(running, run.status as ScheduleOutcome['status'], run.endedAt)
    if (!compared) return this.settle(held, outcome, now)
    const { digest } = compared
    const documents = await schedules.documentMarks(held.schedule.tenant, compared.documents, run.createdAt)
    const told = before === undefined ? 'first' : before.digest === digest ? 'same' : 'changed'
    const done = { ...outcome, answer: told, ...(before && { comparedWith: before.runId }) } as const
    return this.settle(held, done, now, { runId: run.id, digest, documents })
  }

  /**
   * Stores the outcome of a run. If there is no new answer, keeps the document versions from the start of the run, so
   * that only a later change of these documents starts another run.
   */
  private async settle(
    held: HeldSchedule,
    outcome: ScheduleOutcome,
    now: number,
    answer?: ScheduleState['answer'],
  ): Promise<Next> {
    const { schedules } = this.schedulePorts
    const { state, schedule } = held
    const { answer: before } = state
    const kept = before && {
      ...before,
      documents:
        state.running?.documents ?? (await schedules.documentMarks(schedule.tenant, Object.keys(before.documents))),
    }
    const again = schedule.when.by === 'change' && failures.has(outcome.status) ? now + afterFailureMs : state.next
    const outcomes = [outcome, ...state.outcomes].slice(0, outcomesKept)
    const next = { ...state, running: undefined, answer: answer ?? kept, outcomes, next: again }
    const settled = await schedules.note(held, next, outcome.answer === 'changed' ? outcome.runId : undefined)
    return settled ? this.wait(settled, now) : 'again'
  }

  private outcome({ runId, at }: Running, status: ScheduleOutcome['status'], endedAt?: number): ScheduleOutcome {
    return { runId, askedAt: iso(at), ...(endedAt !== undefined && { endedAt: iso(endedAt) }), status, answer: 'none' }
  }

  private refused(running: Running, { problem }: Refusal): ScheduleOutcome {
    return { ...this.outcome(running, 'refused'), problem: problem.detail }
  }

  private async stop(held: HeldSchedule, error: unknown, now: number): Promise<null> {
    const { problem } = refusalOf(error)
    if (problem.status !== 403) throw error
    const stopped = { at: now, reason: problem.detail }
    await this.schedulePorts.schedules.note(
      held,
      { ...held.state, running: undefined, next: undefined, stopped },
      'stopped',
    )
    return null
  }
}
