import type { LedgerEvent } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { Created, RunStore } from '@plumbline/ports/run-store'
import { keys } from './keys'
import type { Call } from './redis-errors'
import { indexRuns, moveInIndex } from './run-listing'
import { freshVersion, horizon, json, openIds, runOf, textOf } from './run-text'
import type { RedisClient, Scripts } from './scripts'

type Context = { redis: RedisClient; scripts: Scripts; retentionMs: number; call: Call }
type Arriving = { run: Run; events: LedgerEvent[]; bodyHash: string }
type Sent = { scheduled: Promise<void>; created: Promise<Created[]>[] }
type Batch = { scheduled: Map<string, (string | number)[]>; arriving: Arriving[]; sent: Promise<Sent> }

/** One script holds up all of Redis while it runs. */
const runsPerScript = 50
const samePolicy = '='

const createdOf = (reply: unknown): Created => {
  const [kind, held, policy] = reply as [Created['kind'], string, string?]
  return kind === 'exists' ? { kind, run: runOf(held, policy) } : { kind }
}

const argsOf = (arriving: Arriving[]): (string | number)[] => {
  let before: string | undefined
  return arriving.flatMap(({ run, events, bodyHash }) => {
    const text = textOf(run)
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
const keysOf = ({ run: { id } }: Arriving): string[] => [
  keys.state(id),
  keys.ledger(id),
  keys.evidence(id),
  keys.draft(id),
]

// A cluster finds the slot of a call in its first argument, which must be a key there.
const sendScript = (scripts: Scripts, arriving: Arriving[], retentionMs: number): Promise<unknown> => {
  const all = [...arriving.flatMap(keysOf), retentionMs, ...argsOf(arriving)]
  return arriving.length === 1 ? scripts.runCreate(...all) : scripts.runsCreate(4 * arriving.length, ...all)
}

const createTogether = async ({ redis, scripts, retentionMs }: Context, arriving: Arriving[]): Promise<Created[]> => {
  const [replies, allNew] = await Promise.all([
    sendScript(scripts, arriving, retentionMs),
    indexRuns(
      redis,
      arriving.map(({ run }) => run),
      retentionMs,
    ),
  ])
  const created = (replies as unknown[]).map(createdOf)
  const made = arriving.filter((_, i) => created[i]?.kind === 'created')
  if (!allNew) await Promise.all(made.map(({ run }) => moveInIndex(redis, run)))
  return created
}

/** Runs come in crowds: what arrives in one turn of the event loop is sent in as few calls as there are slots to send it to. */
export const arrivals = (context: Context): Pick<RunStore, 'schedule' | 'unschedule' | 'create'> => {
  const { redis, call } = context
  const perCall = redis.isCluster ? 1 : runsPerScript
  let gathered: Batch | undefined

  const send = ({ scheduled, arriving }: Batch): Sent => {
    gathered = undefined
    const chunks = Array.from({ length: Math.ceil(arriving.length / perCall) }, (_, i) =>
      arriving.slice(i * perCall, (i + 1) * perCall),
    )
    const sent = {
      scheduled: call(
        async () =>
          void (await Promise.all([...scheduled].map(([lane, looks]) => redis.zadd(keys.open(lane), ...looks)))),
      ),
      created: chunks.map((chunk) => call(() => createTogether(context, chunk))),
    }
    // Whoever gathered here hears of a failure; who gathered nothing of a kind does not listen for it.
    for (const each of [sent.scheduled, ...sent.created]) each.catch(() => undefined)
    return sent
  }
  const gather = (): Batch => {
    if (gathered) return gathered
    const turn = new Promise<void>((resolve) => setImmediate(resolve))
    const batch: Batch = { scheduled: new Map(), arriving: [], sent: turn.then(() => send(batch)) }
    return (gathered = batch)
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
    unschedule: ({ lane, runId }) => call(async () => void (await redis.zrem(keys.open(lane), runId))),
    create: async (run, events, bodyHash) => {
      const { arriving, sent } = gather()
      const place = arriving.push({ run, events, bodyHash }) - 1
      const created = (await (await sent).created[Math.floor(place / perCall)])?.[place % perCall]
      if (!created) throw new SyntaxError('create answered too little')
      return created
    },
  }
}
