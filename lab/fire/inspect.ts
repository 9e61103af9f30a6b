import type { LedgerEvent } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { World } from './world'

/** The ledger event that each closed task must have exactly once. */
const traceOf: Record<string, LedgerEvent['type']> = {
  route: 'routed',
  plan: 'planned',
  research: 'researched',
  'grade-evidence': 'evidence-graded',
  generate: 'drafted',
  'grade-answer': 'answer-graded',
}

/** Events that one task may have several times. */
const repeated: LedgerEvent['type'][] = ['counter-spent', 'checked']

const countBy = <T>(items: T[], keyOf: (item: T) => string): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}

export const violations = (run: Run, ledger: LedgerEvent[]): string[] => {
  const found: string[] = []
  const ends = ledger.filter(({ type }) => type === 'ended').length
  if (ends !== 1) found.push(`${ends} ends`)
  if (ledger.at(-1)?.type !== 'ended') found.push('something after the end')
  for (const [what, count] of countBy(
    ledger.filter(({ type }) => !repeated.includes(type)),
    ({ type, task }) => `${type} ${task}`,
  ))
    if (count > 1) found.push(`${what} ×${count}`)
  const told = new Set(ledger.map(({ type, task }) => `${type} ${task}`))
  for (const [task, how] of Object.entries(run.closed)) {
    const type = traceOf[task.split('.')[0] ?? '']
    const cut = how === 'abandoned' || how === 'dropped' || how === run.status
    if (type && !cut && !told.has(`${type} ${task}`)) found.push(`${task} closed as ${how} without a trace`)
  }
  for (const { type, task } of ledger)
    if (task && Object.values(traceOf).includes(type) && !(task in run.closed))
      found.push(`a trace of ${task}, which is not closed`)
  return found
}

export type Inspected = {
  runs: number
  ended: number
  wrong: string[]
  calls: number
  extraShare: number
  answered: number
}

export const inspect = async (world: World, ids: string[]): Promise<Inspected> => {
  const wrong: string[] = []
  let ended = 0
  let answered = 0
  for (const id of ids) {
    const [run] = await world.store.loadMany([id])
    if (!run?.endedAt) {
      wrong.push(`${id} has not ended`)
      continue
    }
    ended++
    if (run.status === 'answered') answered++
    wrong.push(...violations(run, await world.ledgerOf(id)).map((what) => `${id}: ${what}`))
  }
  const own = new Set(ids)
  const counts = Object.entries(await world.calls()).filter(([task]) => own.has(task.split('/')[0] ?? ''))
  const calls = counts.reduce((sum, [, count]) => sum + count, 0)
  return { runs: ids.length, ended, wrong, calls, extraShare: counts.length ? calls / counts.length - 1 : 0, answered }
}
