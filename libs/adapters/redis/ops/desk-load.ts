import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'
import { availableReviewers } from '../runs/reviewers'

const hourMs = 3_600_000

type Load = { overdue: number; dueWithinHour: number; takingWork: number }

export const openDeskLoad = (redis: RedisClient) => ({
  read: async (tenants: readonly string[], now: number): Promise<Load> => {
    const each = await Promise.all(
      tenants.map(async (tenant) => {
        const key = keys.parked(tenant, 'deadline')
        const [overdue, dueWithinHour, reviewers] = await Promise.all([
          redis.zcount(key, `(${-now}`, '+inf'),
          redis.zcount(key, -(now + hourMs), -now),
          availableReviewers(redis, tenant, now),
        ])
        return { overdue, dueWithinHour, takingWork: reviewers.length }
      }),
    )
    const sum = (part: keyof Load): number => each.reduce((all, load) => all + load[part], 0)
    return { overdue: sum('overdue'), dueWithinHour: sum('dueWithinHour'), takingWork: sum('takingWork') }
  },
})
export type DeskLoad = ReturnType<typeof openDeskLoad>
