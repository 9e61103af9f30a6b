import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'

const hourMs = 3_600_000

export const openDeskLoad = (redis: RedisClient) => ({
  read: async (tenants: readonly string[], now: number): Promise<{ overdue: number; dueWithinHour: number }> => {
    const each = await Promise.all(
      tenants.map(async (tenant) => {
        const key = keys.parked(tenant, 'deadline')
        const [overdue, dueWithinHour] = await Promise.all([
          redis.zcount(key, `(${-now}`, '+inf'),
          redis.zcount(key, -(now + hourMs), -now),
        ])
        return { overdue, dueWithinHour }
      }),
    )
    return {
      overdue: each.reduce((sum, { overdue }) => sum + overdue, 0),
      dueWithinHour: each.reduce((sum, { dueWithinHour }) => sum + dueWithinHour, 0),
    }
  },
})
export type DeskLoad = ReturnType<typeof openDeskLoad>
