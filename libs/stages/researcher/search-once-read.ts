import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '@plumbline/flow'
import type { Scope } from '@plumbline/ports/passage-index/passage-index'
import type { Work } from '@plumbline/worker'
import type { Retrieved } from './retrieve'

type Counts = Partial<Record<'arriving' | 'beingRead', (scope: Scope) => Promise<number>>>

const mostMs = 3_000
const everyMs = 100

/** The wait takes at most a quarter of the run's remaining time, because the answer needs the rest. */
const patienceMs = ({ deadlineAt, movedAt, createdAt }: Run): number =>
  Math.min(mostMs, (deadlineAt - (movedAt ?? createdAt)) / 4)

/**
 * If documents are still being indexed, waits for a limited time and then searches again. If the first search found
 * passages, it waits only for documents that have just arrived.
 */
export const searchOnceRead = async (
  { arriving, beingRead }: Counts,
  { run, task, signal }: Pick<Work<'research'>, 'run' | 'task' | 'signal'>,
  scope: Scope,
  search: () => Promise<Retrieved>,
): Promise<Retrieved> => {
  if (task.failed) return search()
  const [coming = 0, first] = await Promise.all([arriving?.(scope), search()])
  const count = first.passages.length > 0 ? arriving : beingRead
  let open = coming > 0 ? coming : first.passages.length > 0 ? 0 : ((await count?.(scope)) ?? 0)
  if (open === 0) return first
  for (const until = Date.now() + patienceMs(run); open > 0 && Date.now() < until;) {
    await sleep(everyMs, undefined, { signal })
    open = (await count?.(scope)) ?? 0
  }
  return search()
}
