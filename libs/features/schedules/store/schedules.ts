import { randomUUID } from 'node:crypto'
import type { NewSchedule, ScheduleOutcome } from '@plumbline/contracts'
import type { Asker } from '@plumbline/adapters/redis/api-keys/asker'
import { withScripts, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { throughCall, withStoreErrors } from '@plumbline/adapters/redis/client/errors'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { openDueQueue } from '@plumbline/adapters/redis/client/due-queue'
import { recordNotices } from '@plumbline/adapters/redis/client/webhook-outbox'
import createSchedule from './lua/create-schedule.lua'
import noteSchedule from './lua/note-schedule.lua'

const mostSchedules = 100

export type Schedule = Pick<NewSchedule, 'when'> & {
  id: string
  tenant: string
  ask: Omit<NewSchedule, 'when'>
  asker: Asker
  createdAt: number
}

export type ScheduleState = {
  next?: number | undefined
  /**
   * The run in progress, which is stored here before the run is created. `key` determines its id, and `asked` is true
   * once it exists. `documents` contains the versions of the documents of the previous answer, as they were when this
   * run began.
   */
  running?: { runId: string; key: string; at: number; asked: boolean; documents?: Record<string, string> } | undefined
  /** The last answer, whose text is stored only in its run. `documents`: the versions of the documents that it used. */
  answer?: { runId: string; digest: string; documents: Record<string, string> } | undefined
  stopped?: { at: number; reason: string } | undefined
  outcomes: ScheduleOutcome[]
}
export type HeldSchedule = { schedule: Schedule; state: ScheduleState; mark: string }

const scheduleMember = ({ tenant, id }: Pick<Schedule, 'tenant' | 'id'>): string => `${tenant}/${id}`
export const ofScheduleMember = (member: string): { tenant: string; id: string } => {
  const [tenant = '', id = ''] = member.split('/')
  return { tenant, id }
}
const noticeOf = (schedule: Schedule, what: string): string => `schedule/${scheduleMember(schedule)}/${what}`

/** Returns the version of each document, or `unsure` if the document changed after `since` or no longer exists. */
const documentMarks =
  (redis: RedisClient) =>
  async (tenant: string, ids: readonly string[], since?: number): Promise<Record<string, string>> => {
    const read = async (id: string): Promise<[string, string]> => {
      const [of, served, updatedAt] = await redis.hmget(keys.document(id), 'tenant', 'served', 'updatedAt')
      const version = of === tenant && served ? served : ''
      return [id, since !== undefined && (version === '' || Number(updatedAt) > since) ? 'unsure' : version]
    }
    return Object.fromEntries(await Promise.all(ids.map(read)))
  }

export const openSchedules = (redis: RedisClient) => {
  const scripts = withScripts(redis, {
    scheduleCreate: { lua: createSchedule, numberOfKeys: 2 },
    scheduleNote: { lua: noteSchedule, numberOfKeys: 1 },
  })
  const dueQueue = openDueQueue(redis, 'schedulesDue')
  const notice = recordNotices(redis)
  const one = async (tenant: string, id: string): Promise<HeldSchedule | null> => {
    const [told, state, mark] = await redis.hmget(keys.schedule(tenant, id), 'told', 'state', 'mark')
    if (!told || !state || !mark) return null
    return { schedule: JSON.parse(told) as Schedule, state: JSON.parse(state) as ScheduleState, mark }
  }
  return throughCall(withStoreErrors, {
    ...dueQueue,
    one,
    documentMarks: documentMarks(redis),
    all: async (tenant: string): Promise<HeldSchedule[]> => {
      const ids = await redis.zrange(keys.schedules(tenant), '0', '-1')
      const all = await Promise.all(ids.map((id) => one(tenant, id)))
      return all.flatMap((held) => held ?? []).reverse()
    },
    /**
     * Stores the due time before the schedule, so that a crash leaves no schedule without a due time. If a client
     * repeats the request, the due time stays the same.
     */
    create: async (schedule: Schedule, state: ScheduleState, body: string) => {
      const { tenant, id, createdAt } = schedule
      await dueQueue.scheduleBy(scheduleMember(schedule), state.next ?? createdAt)
      const own = [keys.schedule(tenant, id), keys.schedules(tenant)]
      const kept = [JSON.stringify(schedule), JSON.stringify(state), randomUUID()]
      const made = await scripts.scheduleCreate(...own, id, ...kept, body, createdAt, mostSchedules)
      return made as 'created' | 'exists' | 'conflict' | 'too-many'
    },
    /**
     * Stores a new state. Returns null if the state has changed since it was read. `told` is what webhooks report:
     * `stopped`, or the id of a run whose answer changed.
     */
    note: ({ schedule, mark }: HeldSchedule, state: ScheduleState, told?: string): Promise<HeldSchedule | null> => {
      const { tenant, id } = schedule
      const write = async (): Promise<HeldSchedule | null> => {
        const next = randomUUID()
        const done = await scripts.scheduleNote(keys.schedule(tenant, id), mark, JSON.stringify(state), next)
        return done === 1 ? { schedule, state, mark: next } : null
      }
      return told === undefined ? write() : notice(tenant, noticeOf(schedule, told), write)
    },
    remove: async (tenant: string, id: string): Promise<void> => {
      await redis.del(keys.schedule(tenant, id))
      await redis.zrem(keys.schedules(tenant), id)
      await dueQueue.forget(scheduleMember({ tenant, id }))
    },
  })
}
export type ScheduleStore = ReturnType<typeof openSchedules>
