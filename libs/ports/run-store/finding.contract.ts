import { describe, expect, test } from 'vitest'
import type { Run } from '@plumbline/flow'
import { researchTask, reviewTask, routeTask } from './sample-run'
import { move, type Setting } from './setting.contract'

export const findingContract = (at: Setting): void => {
  describe('due runs', () => {
    test('are taken once by two concurrent takers, oldest first, and again when due again', async () => {
      const lane = `lane-${at.newId()}`
      const now = await at.store.now()
      const ids = Array.from({ length: 60 }, (_, i) => `run-${String(i).padStart(2, '0')}`)
      for (const [i, runId] of ids.entries()) await at.store.schedule({ lane, runId }, now - 1_000 + i)
      await at.store.schedule({ lane, runId: 'not yet' }, now + 600_000)
      const first = await at.store.takeDue(lane, 10, 600_000)
      expect(first).toEqual({ runIds: ids.slice(0, 10), now: expect.any(Number), nextDue: first.now + 600_000 })
      expect(first.now).toBeGreaterThanOrEqual(now)
      const taken = await Promise.all(
        Array.from({ length: 12 }, (_, i) => (i % 2 ? at.store : at.other).takeDue(lane, 5, 600_000)),
      )
      expect(taken.flatMap(({ runIds }) => runIds).sort()).toEqual(ids.slice(10))
      expect((await at.store.takeDue(lane, 10, 600_000)).runIds).toEqual([])
      await at.store.schedule({ lane, runId: 'again' }, now)
      expect((await at.store.takeDue(lane, 10, 0)).runIds).toEqual(['again'])
      expect((await at.store.takeDue(lane, 10, 600_000)).runIds).toEqual(['again'])
    })

    test('in another lane, or unscheduled, are not taken', async () => {
      const [lane, elsewhere] = [`lane-${at.newId()}`, `lane-${at.newId()}`]
      await at.store.schedule({ lane, runId: 'a' }, 0)
      await at.store.schedule({ lane: elsewhere, runId: 'b' }, 0)
      await at.other.unschedule({ lane, runId: 'a' })
      expect((await at.store.takeDue(lane, 10, 0)).runIds).toEqual([])
      expect((await at.store.takeDue(elsewhere, 10, 0)).runIds).toEqual(['b'])
    })
  })

  describe('list', () => {
    const pages = async (tenant: string, limit: number, status?: Run['status']): Promise<string[]> => {
      const ids: string[] = []
      let cursor: string | null = null
      do {
        const page = await at.store.list(tenant, { cursor, limit, status })
        expect(page.ids.length).toBeLessThanOrEqual(limit)
        ids.push(...page.ids)
        cursor = page.next
        if (cursor !== null) expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,256}$/)
      } while (cursor !== null)
      return ids
    }

    test('shows a tenant its own runs, newest first, each once, across pages', async () => {
      const tenant = `t-${at.newId()}`
      const since = Date.now()
      const runs: Run[] = []
      // Five runs in a row have the same time, so that some pages end between runs of the same time.
      for (let i = 0; i < 23; i += 1) runs.push(await at.created({ tenant, createdAt: since + Math.floor(i / 5) }))
      await at.created({ tenant: `${tenant}-other` })
      const newestFirst = runs.map(({ id }) => id).reverse()
      for (const limit of [1, 4, 5, 23, 100]) expect(await pages(tenant, limit)).toEqual(newestFirst)
    })

    test('lists a repeated ask once and a deleted run not at all; new runs do not shift a page', async () => {
      const tenant = `t-${at.newId()}`
      const since = Date.now()
      const runs: Run[] = []
      for (let i = 0; i < 5; i += 1) runs.push(await at.created({ tenant, createdAt: since + i }))
      await at.store.create(runs[0]!, [], 'body')
      await at.subject.forget(runs[3]!.id)
      const first = await at.store.list(tenant, { cursor: null, limit: 2 })
      expect(first.ids).toEqual([runs[4]!.id, runs[2]!.id])
      await at.created({ tenant, createdAt: since + 10 })
      expect((await at.store.list(tenant, { cursor: first.next, limit: 5 })).ids).toEqual([runs[1]!.id, runs[0]!.id])
    })

    test('lists an id that is created again after its deletion among the new ones', async () => {
      const tenant = `t-${at.newId()}`
      const since = Date.now()
      const [old, next] = [
        await at.created({ tenant, createdAt: since }),
        await at.created({ tenant, createdAt: since + 1 }),
      ]
      await at.subject.forget(old.id)
      await at.created({ id: old.id, tenant, createdAt: since + 2 })
      expect(await pages(tenant, 10)).toEqual([old.id, next.id])
    })

    test('filters by the current status of runs', async () => {
      const tenant = `t-${at.newId()}`
      const since = Date.now()
      const runs: Run[] = []
      for (let i = 0; i < 6; i += 1) runs.push(await at.created({ tenant, createdAt: since + i }))
      const set = async (run: Run, status: Run['status'], open: Run['open'] = []) =>
        expect(await at.store.commit(move({ ...run, status, open }, await at.versionOf(run.id), null))).toEqual({
          kind: 'moved',
        })
      for (const run of runs.slice(0, 4)) await set(run, 'parked', [reviewTask(1, since + 60_000)])
      await set(runs[1]!, 'answered')
      await set(runs[2]!, 'running', [routeTask()])
      await set(runs[2]!, 'parked', [reviewTask(2, since + 60_000)])
      expect(await pages(tenant, 2, 'parked')).toEqual([runs[3]!.id, runs[2]!.id, runs[0]!.id])
      expect(await pages(tenant, 2, 'answered')).toEqual([runs[1]!.id])
      expect(await pages(tenant, 2, 'running')).toEqual([runs[5]!.id, runs[4]!.id])
      expect(await pages(tenant, 2, 'failed')).toEqual([])
      await at.subject.forget(runs[3]!.id)
      expect(await pages(tenant, 1, 'parked')).toEqual([runs[2]!.id, runs[0]!.id])
    })
  })

  describe('subscribe', () => {
    test('notifies every subscribed process of each commit of its run and of no other run, until it stops', async () => {
      const heard = { here: 0, twice: 0, there: 0 }
      const hear = (who: keyof typeof heard) => () => void (heard[who] += 1)
      const [run, other] = [await at.created(), await at.created()]
      const stopHere = await at.store.subscribe(run.id, hear('here'))
      const stopTwice = await at.store.subscribe(run.id, hear('twice'))
      const stopThere = await at.other.subscribe(run.id, hear('there'))
      const commit = async ({ id }: Run) => at.store.commit(move({ ...run, id }, await at.versionOf(id), null))
      await commit(other)
      await commit(run)
      await expect.poll(() => heard, { timeout: 20_000 }).toEqual({ here: 1, twice: 1, there: 1 })
      expect(await at.store.commit(move(run, 'an old version', null))).toEqual({ kind: 'raced' })
      await stopHere()
      await commit(run)
      await expect.poll(() => heard, { timeout: 20_000 }).toEqual({ here: 1, twice: 2, there: 2 })
      await Promise.all([stopTwice(), stopThere()])
      const again = await at.store.subscribe(run.id, hear('here'))
      await commit(run)
      await expect.poll(() => heard, { timeout: 20_000 }).toEqual({ here: 2, twice: 2, there: 2 })
      await again()
    })
  })

  describe('subscribeClosed', () => {
    const closed = (run: Run): Run => ({ ...run, open: [] })
    const listening = async () => {
      const heard: string[] = []
      const stop = await at.other.subscribeClosed((runId, taskIds) => void heard.push([runId, ...taskIds].join(' ')))
      return { heard, stop }
    }

    test('reports tasks that were closed during a delivery, and no other commit', async () => {
      const { heard, stop } = await listening()
      const tasks = [researchTask(1), researchTask(2), researchTask(3)]
      const [reported, cancelled] = [await at.created({ open: tasks.slice(0, 1) }), await at.created({ open: tasks })]
      const { version } = await at.begun(reported.id, 'research.1.1', 'f1')
      await at.store.commit(move(closed(reported), version, { taskId: 'research.1.1', fence: 'f1' }))
      for (const task of ['research.1.1', 'research.2.1']) await at.begun(cancelled.id, task, 'f1')
      await at.store.uncountStarts(cancelled.id, 'research.2.1', 'f1', 'own')
      await at.begun(cancelled.id, 'research.3.1', 'f1')
      await at.store.commit(move(closed(cancelled), await at.versionOf(cancelled.id), null))
      await expect.poll(() => heard, { timeout: 20_000 }).toEqual([`${cancelled.id} research.1.1 research.3.1`])
      await stop()
    })

    test('reports a task that a newer delivery finished', async () => {
      const { heard, stop } = await listening()
      const run = await at.created({ open: [routeTask()] })
      await at.begun(run.id, 'route', 'older')
      const { version } = await at.begun(run.id, 'route', 'newer', true)
      await at.store.commit(move(closed(run), version, { taskId: 'route', fence: 'newer' }))
      await expect.poll(() => heard, { timeout: 20_000 }).toEqual([`${run.id} route`])
      await stop()
    })
  })
}
