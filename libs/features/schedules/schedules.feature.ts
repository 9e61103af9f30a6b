import { type Feature, provide } from '@plumbline/gateway/feature'
import { SchedulePorts } from './schedule-ports'
import { Scheduler } from './scheduler.service'
import { SchedulesController } from './schedules.controller'
import { Schedules } from './schedules.service'
import { openSchedules } from './store/schedules'

/** Asks a question repeatedly, and reports when its answer changes. */
export const schedules: Feature = {
  name: 'schedules',
  controllers: [SchedulesController],
  services: [Schedules, Scheduler],
  open: ({ redis }) => ({ ports: [provide(SchedulePorts, { schedules: openSchedules(redis) })] }),
}
