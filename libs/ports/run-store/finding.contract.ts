import { describe, expect, test } from 'vitest'
import type { Run } from '@plumbline/flow'
import { reviewTask, routeTask } from './sample-run'
import { move, type Setting } from './setting.contract'

/** How runs are found: by their next look, by tenant, by their commits. */
export const findingContract = (at: Setting): void => {
  describe('due runs', () => {
    test('are taken once by two takers at once, oldest first, and come again when their next look is due', async () => {
      const lane = `lane-${at.newId()}`
      const now = await at.store.now()
      const ids = Array.from({ length: 60 }, (_, i) => `run-${String(i).padStart(2, '0')}`)
      for (const [i, runId] of ids.entries()) await at.store.schedule({ lane, runId }, now - 1_000 + i)
      await at.store.schedule({ lane, runId: 'not yet' }, now + 600_000)
      expect(await at.store.takeDue(lane, 10, 600_000)).toEqual(ids.slice(0, 10))
      const taken = await Promise.all(
        Array.from({ length: 12 }, (_, i) => (i % 2 ? at.store : at.other).takeDue(lane, 5, 600_000)),
      )
      expect(taken.flat().sort()).toEqual(ids.slice(10))
      expect(await at.store.takeDue(lane, 10, 600_000)).toEqual([])
      await at.store.schedule({ lane, runId: 'again' }, now)
      expect(await at.store.takeDue(lane, 10, 0)).toEqual(['again'])
      expect(await at.store.takeDue(lane, 10, 600_000)).toEqual(['again'])
    })

    test('of another lane, or unscheduled, are not taken', async () => {
      const [lane, elsewhere] = [`lane-${at.newId()}`, `lane-${at.newId()}`]
      await at.store.schedule({ lane, runId: 'a' }, 0)
      await at.store.schedule({ lane: elsewhere, runId: 'b' }, 0)
      await at.other.unschedule({ lane, runId: 'a' })
      expect(await at.store.takeDue(lane, 10, 0)).toEqual([])
      expect(await at.store.takeDue(elsewhere, 10, 0)).toEqual(['b'])
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

    test('a tenant sees its own runs, newest first, each once, whatever the page', async () => {
      const tenant = `t-${at.newId()}`
      const since = Date.now()
      const runs: Run[] = []
      // Several of one millisecond, so that a page ends between them.
      for (let i = 0; i < 23; i += 1) runs.push(await at.created({ tenant, createdAt: since + Math.floor(i / 5) }))
      await at.created({ tenant: `${tenant}-other` })
      const newestFirst = runs.map(({ id }) => id).reverse()
      for (const limit of [1, 4, 5, 23, 100]) expect(await pages(tenant, limit)).toEqual(newestFirst)
    })

    test('a run asked for twice stands once; a run that is gone not at all; what comes in does not shift a page', async () => {
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

    test('an id that comes again after its run was gone stands among the new ones', async () => {
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

    test('by status, as the runs stand now', async () => {
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
    test('every process hears the id of a run that was committed, until it stops listening', async () => {
      const heard: Record<'here' | 'there', string[]> = { here: [], there: [] }
      const run = await at.created()
      // On a cluster an earlier run's commit may still be on its way.
      const own = (where: 'here' | 'there') => (id: string) => void (id === run.id && heard[where].push(id))
      const stopHere = await at.store.subscribe(own('here'))
      const stopThere = await at.other.subscribe(own('there'))
      await at.store.commit(move(run, await at.versionOf(run.id), null))
      await expect.poll(() => heard, { timeout: 20_000 }).toEqual({ here: [run.id], there: [run.id] })
      expect(await at.store.commit(move(run, 'an old version', null))).toEqual({ kind: 'raced' })
      await stopHere()
      await at.other.commit(move(run, await at.versionOf(run.id), null))
      await expect.poll(() => heard.there, { timeout: 20_000 }).toEqual([run.id, run.id])
      expect(heard.here).toEqual([run.id])
      await stopThere()
    })
  })
}
