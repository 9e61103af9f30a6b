import type { LedgerEvent } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { Created, RunStore } from '@plumbline/ports/run-store/run-store'
import { keys } from '../client/keys'
import type { Context } from './context'
import { indexRuns, moveInIndex } from './run-lists'
import { freshVersion, retentionStart, json, openIds, runOf, textOfOpen } from './run-text'

type NewRun = { run: Run; events: LedgerEvent[]; bodyHash: string; created: PromiseWithResolvers<Created> }

/** The maximum number of runs per script call. It is small, because Redis does nothing else while a script runs. */
const runsPerScript = 50
const samePolicy = '='

const createdOf = (reply: unknown): Created => {
  const [kind, held, policy] = reply as [Created['kind'], string, string?]
  return kind === 'exists' ? { kind, run: runOf(held, policy) } : { kind }
}

const argsOf = (newRuns: NewRun[]): (string | number)[] => {
  let before: string | undefined
  return newRuns.flatMap(({ run, events, bodyHash }) => {
    const text = textOfOpen(run)
    const policy = text.policy === before ? samePolicy : text.policy
    before = text.policy
    return [
      freshVersion(),
      text.run,
      policy,
      openIds(run),
      run.status,
      bodyHash,
      retentionStart(run),
      events.length,
      ...json(events),
    ]
  })
}
const keysOf = ({ run: { id } }: NewRun): string[] => [
  keys.state(id),
  keys.ledger(id),
  keys.evidence(id),
  keys.draft(id),
]

// The keys come before the other arguments, because ioredis derives the cluster slot of a call from the first argument.
const sendScript = (scripts: Context['scripts'], newRuns: NewRun[], retentionMs: number): Promise<unknown> => {
  const all = [...newRuns.flatMap(keysOf), retentionMs, ...argsOf(newRuns)]
  return newRuns.length === 1 ? scripts.runCreate(...all) : scripts.runsCreate(4 * newRuns.length, ...all)
}

const createTogether = async ({ redis, scripts, retentionMs }: Context, newRuns: NewRun[]): Promise<Created[]> => {
  const [replies, allNew] = await Promise.all([
    sendScript(scripts, newRuns, retentionMs),
    indexRuns(
      redis,
      newRuns.map(({ run }) => run),
      retentionMs,
    ),
  ])
  const created = (replies as unknown[]).map(createdOf)
  if (created.length !== newRuns.length) throw new SyntaxError('the Redis script `create` returned too few results')
  const made = newRuns.filter((_, i) => created[i]?.kind === 'created')
  if (!allNew) await Promise.all(made.map(({ run }) => moveInIndex(redis, run)))
  return created
}

/** Creates runs. Collects the runs of one event-loop turn, so that they share one call to Redis. */
export const createRuns = (context: Context): Pick<RunStore, 'schedule' | 'create'> => {
  const { redis, call } = context
  const perCall = redis.isCluster ? 1 : runsPerScript
  let waiting: NewRun[] = []

  const createEach = (newRuns: NewRun[]): Promise<void> =>
    call(() => createTogether(context, newRuns)).then(
      (replies) => replies.forEach((reply, i) => newRuns[i]?.created.resolve(reply)),
      (error: unknown) => newRuns.forEach(({ created }) => created.reject(error)),
    )
  const send = (): void => {
    const newRuns = waiting
    waiting = []
    for (let from = 0; from < newRuns.length; from += perCall) void createEach(newRuns.slice(from, from + perCall))
  }
  return {
    schedule: async ({ lane, runId }, at) => void (await call(() => redis.zadd(keys.open(lane), at, runId))),
    create: (run, events, bodyHash) => {
      const created = Promise.withResolvers<Created>()
      if (waiting.push({ run, events, bodyHash, created }) === 1) setImmediate(send)
      return created.promise
    },
  }
}
