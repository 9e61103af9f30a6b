import { describe, expect, test } from 'vitest'
import type { ParkedGroup, Run, Task } from '@plumbline/flow'
import type { ParkedOrder } from './run-store'
import { reviewTask, routeTask, sampleRun } from './sample-run'
import { move, type Setting } from './setting.contract'

type ParkedInput = { tenant: string; openedAt: number; dueAt: number; supported: number } & Partial<Run>

const parkedFields = ({ openedAt, dueAt, supported, ...over }: ParkedInput): Partial<Run> => ({
  status: 'parked',
  reason: 'parked.ungrounded',
  draft: { draft: 1, text: 'A draft.', citations: [] },
  grading: { draft: 1, score: supported, claims: [], parts: [], support: 'partial', confidence: 1, tooBroad: false },
  open: [{ ...reviewTask(1, dueAt), openedAt } as Task],
  ...over,
})

export const parkedContract = (at: Setting): void => {
  const commit = async (run: Run): Promise<void> =>
    expect(await at.store.commit(move(run, await at.versionOf(run.id), null))).toEqual({ kind: 'moved' })
  const park = async (how: ParkedInput): Promise<Run> => {
    const parked = { ...(await at.created({ tenant: how.tenant })), ...parkedFields(how) }
    await commit(parked)
    return parked
  }
  const page = (
    tenant: string,
    {
      order = 'deadline' as ParkedOrder,
      limit = 10,
      cursor = null as string | null,
      wanted = (_: ParkedGroup): boolean => true,
      words = [] as string[],
      dueBy = undefined as number | undefined,
    } = {},
  ) => at.other.parked(tenant, { order, limit, cursor, wanted, words, ...(dueBy !== undefined && { dueBy }) })
  const pages = async (tenant: string, order: ParkedOrder, limit: number): Promise<string[]> => {
    const ids: string[] = []
    for (let cursor: string | null = null; ;) {
      const { rows, next } = await page(tenant, { order, limit, cursor })
      ids.push(...rows.map(({ runId }) => runId))
      if (next === null) return ids
      expect(next).toMatch(/^[A-Za-z0-9_-]{1,256}$/)
      cursor = next
    }
  }
  const since = 1_800_000_000_000

  describe('the list of parked runs', () => {
    test('is paged by deadline, age or risk, with the count and the oldest age of all', async () => {
      const tenant = `t-${at.newId()}`
      const a = await park({ tenant, openedAt: since + 2, dueAt: since + 900, supported: 0.5 })
      const b = await park({ tenant, openedAt: since + 1, dueAt: since + 800, supported: 0.9 })
      const c = await park({ tenant, openedAt: since + 3, dueAt: since + 700, supported: 0.1 })
      await park({ tenant: `${tenant}-other`, openedAt: since, dueAt: since + 1, supported: 0 })
      for (const limit of [1, 2, 3, 10]) {
        expect(await pages(tenant, 'deadline', limit)).toEqual([c.id, b.id, a.id])
        expect(await pages(tenant, 'age', limit)).toEqual([b.id, a.id, c.id])
        expect(await pages(tenant, 'risk', limit)).toEqual([c.id, a.id, b.id])
      }
      expect(await at.other.parkedPlace(c)).toEqual({ at: 1, of: 3 })
      expect(await at.other.parkedPlace(a)).toEqual({ at: 3, of: 3 })
      expect(await at.other.parkedPlace(await at.created({ tenant }))).toBeNull()
      const first = await page(tenant, { order: 'risk', limit: 1 })
      expect(first).toMatchObject({ rows: [{ runId: c.id, risk: 90, score: 0.1 }], oldestAt: since + 1 })
      expect(first.groups.map(({ count }) => count)).toEqual([3])
      expect(await page(`t-${at.newId()}`)).toEqual({ rows: [], next: null, groups: [], oldestAt: null })
    })

    test('shows, counts and dates only runs that match', async () => {
      const tenant = `t-${at.newId()}`
      const times = { tenant, openedAt: since, dueAt: since + 9, supported: 0 }
      await park({ ...times, collections: ['b', 'a'] })
      await park({ ...times, openedAt: since + 1, reason: 'parked.sensitive', access: ['hr'] })
      const other = await park({ ...times, openedAt: since + 2, reason: 'parked.sensitive', collections: ['a'] })
      const wanted = ({ reason, access }: ParkedGroup) => reason === 'parked.sensitive' && access === undefined
      expect(await page(tenant, { wanted, limit: 1 })).toMatchObject({
        rows: [{ runId: other.id, group: { reason: 'parked.sensitive', collections: ['a'] } }],
        next: null,
        groups: [{ count: 1 }],
        oldestAt: since + 2,
      })
      expect((await page(tenant)).groups).toHaveLength(3)
    })

    test('is searched by the beginnings of words of question, asker and draft, and forgets a run that leaves', async () => {
      const tenant = `t-${at.newId()}`
      const times = { tenant, openedAt: since, dueAt: since + 9, supported: 0 }
      const draft = { draft: 1, text: 'Mercury is at 6,052.8 km [1].', citations: [] }
      const a = await park({ ...times, question: 'How far is Mercury?', metadata: { user: 'ann' }, draft })
      const b = await park({ ...times, openedAt: since + 1, dueAt: since + 20, question: 'How big is Mercury?' })
      const hidden = await park({ ...times, question: 'Mercury in secret', access: ['hr'], draft })
      const wanted = ({ access }: ParkedGroup) => access === undefined
      const find = async (...words: string[]) => (await page(tenant, { words, wanted })).rows.map(({ runId }) => runId)
      expect(await find('mercury')).toEqual([a.id, b.id])
      expect(await find('merc', 'far')).toEqual([a.id])
      expect(await find('6,052.8')).toEqual([a.id])
      expect(await find('ann')).toEqual([a.id])
      expect(await find('venus')).toEqual([])
      expect(await find('secret')).toEqual([])
      const first = await page(tenant, { words: ['mercury'], wanted, limit: 1, dueBy: since + 10 })
      expect(first).toMatchObject({ rows: [{ runId: a.id }], groups: [{ count: 2 }], oldestAt: since, due: 1 })
      const next = await page(tenant, { words: ['mercury'], wanted, limit: 1, cursor: first.next })
      expect(next).toMatchObject({ rows: [{ runId: b.id }], next: null })
      expect((await page(tenant, { wanted, dueBy: since + 10 })).due).toBe(1)
      expect((await page(tenant, { dueBy: since + 10 })).due).toBe(2)
      await commit({ ...a, status: 'running', open: [routeTask()], closed: { 'review.1': 'retry' } })
      expect(await find('mercury')).toEqual([b.id])
      expect((await page(tenant, { words: ['mercury'] })).rows.map(({ runId }) => runId)).toEqual([hidden.id, b.id])
    })

    test('drops a run when its review closes, adds it with the next, and does not count deleted or never parked runs', async () => {
      const tenant = `t-${at.newId()}`
      const times = { tenant, openedAt: since, dueAt: since + 9, supported: 0 }
      const run = await park(times)
      const gone = await park({ ...times, openedAt: since - 1 })
      await at.store.commit(move({ ...sampleRun({ id: at.newId() }), ...parkedFields(times) }, 'a version', null))
      await commit({ ...run, status: 'running', open: [routeTask()], closed: { 'review.1': 'retry' } })
      expect((await page(tenant)).rows.map(({ runId }) => runId)).toEqual([gone.id])
      await commit({ ...run, open: [{ ...reviewTask(2, since + 20), openedAt: since + 5 } as Task] })
      await at.subject.forget(gone.id)
      expect((await page(tenant)).rows.map(({ taskId }) => taskId)).toEqual(['review.2'])
      const healed = await page(tenant)
      expect(healed).toMatchObject({ groups: [{ count: 1 }], oldestAt: since + 5 })
    })
  })

  describe('a parked run at rest', () => {
    test('is due when its review is due, unless it was rescheduled meanwhile', async () => {
      const lane = `lane-${at.newId()}`
      const now = await at.store.now()
      const run = await park({ tenant: 'default', lane, openedAt: now, dueAt: now - 1, supported: 0 })
      const look = now + 600_000
      await at.store.schedule({ lane, runId: run.id }, look)
      await at.store.rest(run, look + 1)
      expect((await at.store.takeDue(lane, 10, 600_000)).runIds).toEqual([])
      await at.store.rest(run, look)
      const taken = await at.store.takeDue(lane, 10, 600_000)
      expect(taken.runIds).toEqual([run.id])
      await at.store.rest(run, taken.nextDue)
      expect((await at.store.takeDue(lane, 10, 600_000)).runIds).toEqual([run.id])
    })
  })
}
