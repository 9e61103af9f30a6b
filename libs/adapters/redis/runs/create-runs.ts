import type { LedgerEvent } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { Created, RunStore } from '@plumbline/ports/run-store/run-store'
import { keys } from '../client/keys'
import type { Context } from './context'
import { indexRuns, moveInIndex } from './run-lists'
import { freshVersion, horizon, json, openIds, runOf, textOfOpen } from './run-text'

type NewRun = { run: Run; events: LedgerEvent[]; bodyHash: string }
type Sent = { scheduled: Promise<void>; created: Promise<Created[]>[] }
type Batch = { scheduled: Map<string, (string | number)[]>; newRuns: NewRun[]; sent: Promise<Sent> }

/** One script holds up all of Redis while it runs. */
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
      horizon(run),
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

// A cluster finds the slot of a call in its first argument, which must be a key there.
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
  const made = newRuns.filter((_, i) => created[i]?.kind === 'created')
  if (!allNew) await Promise.all(made.map(({ run }) => moveInIndex(redis, run)))
  return created
}

/** Runs come in crowds: what arrives in one turn of the event loop is sent in as few calls as there are slots to send it to. */
export const createRuns = (context: Context): Pick<RunStore, 'schedule' | 'create'> => {
  const { redis, call } = context
  const perCall = redis.isCluster ? 1 : runsPerScript
  let batch: Batch | undefined

  const send = ({ scheduled, newRuns }: Batch): Sent => {
    batch = undefined
    const chunks = Array.from({ length: Math.ceil(newRuns.length / perCall) }, (_, i) =>
      newRuns.slice(i * perCall, (i + 1) * perCall),
    )
    const sent = {
      scheduled: call(
        async () =>
          void (await Promise.all([...scheduled].map(([lane, looks]) => redis.zadd(keys.open(lane), ...looks)))),
      ),
      created: chunks.map((chunk) => call(() => createTogether(context, chunk))),
    }
    // Whoever batch here hears of a failure; who batch nothing of a kind does not listen for it.
    for (const each of [sent.scheduled, ...sent.created]) each.catch(() => undefined)
    return sent
  }
  const gather = (): Batch => {
    if (batch) return batch
    const turn = new Promise<void>((resolve) => setImmediate(resolve))
    const opened: Batch = { scheduled: new Map(), newRuns: [], sent: turn.then(() => send(opened)) }
    return (batch = opened)
  }
  return {
    schedule: async ({ lane, runId }, at) => {
      const { scheduled, sent } = gather()
      const looks = scheduled.get(lane) ?? []
      scheduled.set(lane, looks)
      looks.push(at, runId)
      await (
        await sent
      ).scheduled
    },
    create: async (run, events, bodyHash) => {
      const { newRuns, sent } = gather()
      const place = newRuns.push({ run, events, bodyHash }) - 1
      const created = (await (await sent).created[Math.floor(place / perCall)])?.[place % perCall]
      if (!created) throw new SyntaxError('create answered too little')
      return created
    },
  }
}
