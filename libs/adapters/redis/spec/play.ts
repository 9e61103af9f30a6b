import fc from 'fast-check'
import type { Run, Task } from '@plumbline/flow'
import type { Commit, RunStore } from '@plumbline/ports/run-store/run-store'
import { abandoned, asked, sampleRun } from '@plumbline/ports/run-store/sample-run'

export type Stage = {
  store: RunStore
  snapshot(runId: string): Promise<() => Promise<void>>
  forget(runId: string): Promise<void>
}

const known = ['t0', 't1', 't2', 't3', 't4']
const taskOf = (id: string): Task => ({ kind: 'route', id, openedAt: 1 })

const closing = (run: Run, taskId: string): { run: Run; says: string } | null => {
  if (!run.open.some(({ id }) => id === taskId)) return null
  const closed = { ...run.closed, [taskId]: 'done' }
  const left = run.open.filter(({ id }) => id !== taskId)
  const opened = taskId === 't0' ? ['t1', 't2', 't3'] : left.length === 0 && taskId !== 't4' ? ['t4'] : []
  return {
    run: { ...run, closed, open: [...left, ...opened.map(taskOf)] },
    says: `${Object.keys(closed).length}:${taskId}`,
  }
}
export const firstRun = (id: string): Run => sampleRun({ id, createdAt: 1_900_000_000_000, open: [taskOf('t0')] })

const pick = fc.nat({ max: 30 })
export type Act = {
  does:
    | 'begin'
    | 'report'
    | 'repeat'
    | 'error'
    | 'hand-back'
    | 'postpone'
    | 'draft'
    | 'decide'
    | 'snapshot'
    | 'roll-back'
    | 'forget'
  which: number
  isolated: boolean
}
export const anAct: fc.Arbitrary<Act> = fc.record({
  does: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('begin', 'report') },
    {
      weight: 6,
      arbitrary: fc.constantFrom('repeat', 'error', 'hand-back', 'postpone', 'draft', 'snapshot', 'roll-back'),
    },
    { weight: 1, arbitrary: fc.constantFrom('decide', 'forget') },
  ) as fc.Arbitrary<Act['does']>,
  which: pick,
  isolated: fc.boolean(),
})

type Delivery = { taskId: string; fence: string; run: Run; version: string; last?: Commit }

/** `player` must differ between parallel calls for one run, because it makes their fences and versions unique. */
export const play = async (
  { store, snapshot, forget }: Stage,
  runId: string,
  acts: Act[],
  player = '',
): Promise<unknown[]> => {
  const told: unknown[] = []
  const deliveries: Delivery[] = []
  let restore = async (): Promise<void> => {}
  await store.create(firstRun(runId), [asked()], 'body')

  const begin = async (taskId: string, isolated: boolean): Promise<void> => {
    const fence = `${player}f${deliveries.length}-${told.length}`
    const answer = await store.begin(runId, taskId, fence, { isolated })
    told.push({ ...answer, now: 0, ...(answer.kind === 'open' && { version: '' }) })
    if (answer.kind === 'open') deliveries.push({ taskId, fence, ...answer })
  }
  const commit = async (delivery: Delivery, by: Commit['by']): Promise<void> => {
    const moved = closing(delivery.run, delivery.taskId)
    if (!moved) return void told.push('stale')
    const next = `${runId}-${player}v${told.length}`
    delivery.last = {
      run: moved.run,
      version: delivery.version,
      next,
      by,
      events: [abandoned(moved.says)],
      evidence: [],
    }
    const { kind } = await store.commit(delivery.last)
    told.push(kind)
    const loaded = kind === 'raced' ? await store.load(runId) : null
    if (loaded) Object.assign(delivery, { run: loaded.run, version: loaded.version })
  }
  const actOn = async (act: Act, delivery: Delivery): Promise<void> => {
    const { taskId, fence } = delivery
    if (act.does === 'report') await commit(delivery, { taskId, fence })
    if (act.does === 'repeat' && delivery.last) told.push((await store.commit(delivery.last)).kind)
    if (act.does === 'error') told.push(await store.countError(runId, taskId, fence))
    if (act.does === 'hand-back') await store.uncountStarts(runId, taskId, fence, 'own')
    if (act.does === 'postpone') await store.uncountStarts(runId, taskId, fence, 'all')
    if (act.does === 'draft') await store.appendDraft(runId, { taskId, fence, text: fence })
    if (act.does === 'decide') await commit({ ...delivery, ...((await store.load(runId)) ?? {}) }, null)
  }
  for (const act of acts) {
    const delivery = deliveries[act.which % Math.max(1, deliveries.length)]
    if (act.does === 'begin') await begin(known[act.which % known.length] ?? 't0', act.isolated)
    else if (act.does === 'snapshot') restore = await snapshot(runId)
    else if (act.does === 'roll-back') await restore()
    else if (act.does === 'forget') await forget(runId)
    else if (delivery) await actOn(act, delivery)
  }
  return told
}

export type End = { run: Run | null; ledger: string[]; draft: unknown[] }
export const endOf = async ({ store }: Stage, runId: string): Promise<End> => ({
  run: (await store.load(runId))?.run ?? null,
  ledger: (await store.ledger(runId, null, 1_000)).map(({ event }) =>
    event.type === 'abandoned' ? event.reason : event.type,
  ),
  draft: (await store.draft(runId, null)).map(({ delta }) => delta),
})

export const faults = ({ run, ledger }: End): string[] => {
  if (!run) return ledger.length === 0 ? [] : [`a ledger without a run: ${ledger.join(' ')}`]
  const expected = ['asked', ...Object.keys(run.closed).map((taskId, i) => `${i + 1}:${taskId}`)]
  return ledger.join(' ') === expected.join(' ')
    ? []
    : [`the ledger tells ${ledger.join(' ')}, the run ${expected.join(' ')}`]
}
