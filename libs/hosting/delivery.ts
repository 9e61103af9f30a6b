import { DelayedError, WaitingError, type Job } from 'bullmq'
import type { Delivery, Disposition } from '@plumbline/worker'

/** A job whose hash was lost has no data left; its id still says what it was for. */
export const deliveryOf = ({ id = '', data, stalledCounter }: Job<Partial<Delivery>>): Delivery => {
  const dot = id.indexOf('.')
  return {
    runId: data.runId ?? id.slice(0, dot),
    taskId: data.taskId ?? id.slice(dot + 1),
    redelivered: stalledCounter > 0,
  }
}

/** BullMQ acknowledges what returns, and leaves alone what moved its job itself. */
export const settleJob = async (job: Job, token: string, disposition: Disposition): Promise<void> => {
  switch (disposition.kind) {
    case 'done':
      return
    case 'later':
      await job.moveToDelayed(Date.now() + Math.round(disposition.inMs), token)
      throw new DelayedError()
    case 'back':
      await job.moveToWait(token)
      throw new WaitingError()
  }
}
