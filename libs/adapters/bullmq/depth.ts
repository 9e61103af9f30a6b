import type { Queue } from 'bullmq'
import type { Depth } from '@plumbline/ports/job-queue'

export const depthOf = async (queue: Queue): Promise<Depth> => {
  const [counts, paused, [oldest]] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed'),
    queue.isPaused(),
    queue.getJobs(['waiting'], 0, 0, true),
  ])
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts
  return {
    waiting: waiting + prioritized,
    active,
    delayed,
    paused,
    oldestMs: oldest?.timestamp ? Math.max(0, Date.now() - oldest.timestamp) : null,
  }
}
