import type { NewsSource } from '@plumbline/gateway/feature'
import { openSchedules } from './store/schedules'

/** Finds the event of an outbox entry. `what` is `stopped`, or the id of the run whose answer changed. */
export const scheduleNews: NewsSource = {
  kind: 'schedule',
  open: (redis) => {
    const schedules = openSchedules(redis)
    return async (tenant, scheduleId = '', what = '') => {
      const { stopped, outcomes = [] } = (await schedules.one(tenant, scheduleId))?.state ?? {}
      const news = { tenant, about: `${scheduleId}.${what}` }
      if (what === 'stopped' && stopped)
        return { ...news, at: stopped.at, type: 'schedule.stopped', data: { scheduleId, status: 'stopped' } }
      const changed = outcomes.find(({ runId, answer }) => runId === what && answer === 'changed')
      if (!changed) return null
      const data = { scheduleId, runId: what, status: changed.status }
      const at = Date.parse(changed.endedAt ?? changed.askedAt)
      return { ...news, at, page: `runs/${what}`, type: 'schedule.changed', data }
    }
  },
}
