import type { ScheduleStore } from './store/schedules'

export abstract class SchedulePorts {
  abstract readonly schedules: ScheduleStore
}
