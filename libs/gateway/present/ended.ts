import { EndStatus } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'

export const hasEnded = ({ status }: Pick<Run, 'status'>): boolean => EndStatus.options.some((end) => end === status)
