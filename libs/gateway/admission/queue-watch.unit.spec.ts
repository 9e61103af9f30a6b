import { expect, it } from 'vitest'
import { silent } from '@plumbline/platform/log'
import { createMemoryJobQueue } from '@plumbline/ports/memory-job-queue'
import { memoryRunStore } from '@plumbline/ports/run-store/memory-run-store'
import { asked, sampleRun } from '@plumbline/ports/run-store/sample-run'
import type { Common, RunPorts } from '../ports'
import { QueueWatch } from './queue-watch.service'

it('a run that waits is loaded once, and one that began to wait just now is not loaded at all', async () => {
  const store = memoryRunStore()
  const queue = createMemoryJobQueue()
  let waitedMs = 10
  let loaded: string[] = []
  const runPorts = {
    store: { ...store, loadMany: (ids: string[]) => ((loaded = [...loaded, ...ids]), store.loadMany(ids)) },
    queue: {
      ...queue,
      next: async (...args: Parameters<typeof queue.next>) =>
        (await queue.next(...args)).map((next) => ({ ...next, waitedMs })),
    },
  } as unknown as RunPorts
  const watch = new QueueWatch({ settings: { lanes: ['main'] }, log: silent } as unknown as Common, runPorts)
  const ids = ['a', 'b', 'c']
  for (const id of ids) {
    await store.create(sampleRun({ id, tenant: `tenant-${id}`, ...(id === 'c' && { class: 'batch' }) }), [asked()], '')
    await queue.add('main', [{ queue: 'router', jobId: `${id}.route`, data: { runId: id, taskId: 'route' } }])
  }
  await watch.look()
  expect([loaded, watch.oldestInteractiveMs]).toEqual([[], 0])
  for (waitedMs = 3_000; waitedMs < 30_000; waitedMs += 3_000) await watch.look()
  expect(loaded).toEqual(ids)
  expect(watch.oldestInteractiveMs).toBe(27_000)
  expect([...watch.longestByTenant.keys()]).toEqual(['tenant-a', 'tenant-b', 'tenant-c'])
})
