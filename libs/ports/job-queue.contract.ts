import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '@plumbline/flow'
import type { JobQueue } from './job-queue'

export type JobQueueBench = {
  queue: JobQueue
  lose(lane: string, job: Job): Promise<void>
  close(): Promise<void>
}

const job = (runId: string, taskId: string, queue: Job['queue'] = 'grader', turn?: number): Job => ({
  queue,
  jobId: `${runId}.${taskId}`,
  data: { runId, taskId },
  ...(turn !== undefined && { turn }),
})

export const jobQueueContract = (name: string, open: () => Promise<JobQueueBench>): void => {
  describe(`${name} as a job queue`, () => {
    let bench: JobQueueBench
    beforeEach(async () => {
      bench = await open()
    })
    afterEach(() => bench.close())
    const waiting = async (queue: Job['queue'] = 'grader', lane = 'main') =>
      (await bench.queue.depth(lane, queue)).waiting

    it('stores every job in the queue that it names', async () => {
      await bench.queue.add('main', [
        job('r1', 'grade-answer.1'),
        job('r1', 'grade-evidence.1.1'),
        job('r1', 'research.1.1', 'researcher'),
      ])
      expect(await waiting('grader')).toBe(2)
      expect(await waiting('researcher')).toBe(1)
      expect(await waiting('router')).toBe(0)
    })

    it('stores a job once, however often it is added', async () => {
      await bench.queue.add('main', [job('r1', 'plan'), job('r1', 'plan')])
      await bench.queue.add('main', [job('r1', 'plan')])
      expect(await waiting()).toBe(1)
    })

    it('keeps lanes apart', async () => {
      await bench.queue.add('left', [job('r1', 'plan')])
      expect(await waiting('grader', 'left')).toBe(1)
      expect(await waiting('grader', 'right')).toBe(0)
    })

    it('removes a job, and ignores one that does not exist', async () => {
      await bench.queue.add('main', [job('r1', 'review.1', 'review')])
      await bench.queue.remove('main', [job('r1', 'review.1', 'review'), job('r2', 'review.1', 'review')])
      expect(await waiting('review')).toBe(0)
    })

    it('restores lost jobs and leaves live ones alone', async () => {
      const [lost, kept, never] = [job('r1', 'plan'), job('r2', 'plan'), job('r3', 'plan')]
      await bench.queue.add('main', [lost, kept])
      await bench.lose('main', lost)
      expect(await bench.queue.heal('main', [lost, kept, never])).toBe(2)
      expect(await waiting()).toBe(3)
      expect(await bench.queue.heal('main', [lost, kept, never])).toBe(0)
    })

    it('reports the age of its oldest waiting job, or null if none waits', async () => {
      expect((await bench.queue.depth('main', 'grader')).oldestMs).toBeNull()
      await bench.queue.add('main', [job('r1', 'plan')])
      const depth = await bench.queue.depth('main', 'grader')
      expect(depth.oldestMs).toBeGreaterThanOrEqual(0)
      expect(depth).toMatchObject({ waiting: 1, active: 0, delayed: 0, paused: false })
    })

    it('orders jobs by their turns, those without one first', async () => {
      const turned = [7.5, 7.25, 900_000, 0].map((turn) => job(`t${turn * 100}`, 'plan', 'grader', turn))
      await bench.queue.add('main', [...turned, job('r1', 'plan'), job('r2', 'plan')])
      const order = async (most: number) =>
        (await bench.queue.next('main', 'grader', most)).map(({ runId }) => runId).join(' ')
      expect(await order(10)).toBe('r1 r2 t0 t725 t750 t90000000')
      expect(await order(3)).toBe('r1 r2 t0')
      expect(await order(1)).toBe('r1')
      const ahead = await Promise.all([...turned, job('r2', 'plan')].map((each) => bench.queue.ahead('main', each)))
      expect(ahead).toEqual([4, 3, 5, 2, 1])
      expect(await bench.queue.ahead('main', job('r3', 'plan'))).toBeNull()
      expect((await bench.queue.depth('main', 'grader')).waiting).toBe(6)
      expect((await bench.queue.depth('main', 'grader')).oldestMs).toBeGreaterThanOrEqual(0)
    })

    it('restores and removes jobs that have a turn', async () => {
      const [lost, kept] = [job('r1', 'plan', 'grader', 4), job('r2', 'plan', 'grader', 5)]
      await bench.queue.add('main', [lost, kept])
      await bench.lose('main', lost)
      expect(await bench.queue.heal('main', [lost, kept])).toBe(1)
      expect(await bench.queue.ahead('main', kept)).toBe(1)
      await bench.queue.remove('main', [lost])
      expect(await bench.queue.ahead('main', kept)).toBe(0)
    })

    it('pauses and resumes by queue and lane, and stores jobs added meanwhile', async () => {
      await bench.queue.setPaused('main', 'grader', true)
      await bench.queue.add('main', [job('r1', 'plan')])
      expect(await bench.queue.depth('main', 'grader')).toMatchObject({ paused: true, waiting: 1 })
      expect(await bench.queue.depth('other', 'grader')).toMatchObject({ paused: false })
      expect(await bench.queue.depth('main', 'router')).toMatchObject({ paused: false })
      await bench.queue.setPaused('main', 'grader', false)
      expect(await bench.queue.depth('main', 'grader')).toMatchObject({ paused: false, waiting: 1 })
    })
  })
}
