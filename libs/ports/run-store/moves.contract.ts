import { describe, expect, test } from 'vitest'
import type { Run } from '@plumbline/flow'
import { abandoned, asked, researchTask, routeTask, samplePassage, sampleRun } from './sample-run'
import { move, type Setting } from './setting.contract'

export const movesContract = (at: Setting): void => {
  describe('create', () => {
    test('returns the existing run for the same ask, rejects another body as a conflict, and writes the ledger once', async () => {
      const run = await at.created()
      expect(await at.other.create({ ...run, question: 'Another?' }, [asked()], 'body')).toEqual({
        kind: 'exists',
        run,
      })
      expect(await at.other.create(run, [asked()], 'other body')).toEqual({ kind: 'conflict' })
      expect(await at.said(run.id)).toEqual(['asked'])
      expect((await at.store.load(run.id))?.run).toEqual(run)
    })

    test('creates once of fifty concurrent calls', async () => {
      const run = sampleRun({ id: at.newId() })
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => (i % 2 ? at.store : at.other).create(run, [asked()], 'body')),
      )
      expect(answers.filter(({ kind }) => kind === 'created')).toHaveLength(1)
      expect(answers.filter(({ kind }) => kind === 'exists')).toHaveLength(49)
      expect(await at.said(run.id)).toEqual(['asked'])
    })
  })

  describe('begin', () => {
    test("returns an open task's run, version, first start and the store's time", async () => {
      const run = await at.created()
      const before = await at.store.now()
      const answer = await at.begun(run.id, 'route', 'f1')
      expect(answer).toMatchObject({ run, starts: 1, errors: 0, version: await at.versionOf(run.id) })
      expect(answer.now).toBeGreaterThanOrEqual(before)
      expect(answer.now).toBeLessThanOrEqual(await at.store.now())
    })

    test('reports a missing run as gone, and a task that is not open as closed', async () => {
      const run = await at.created()
      expect(await at.store.begin(at.newId(), 'route', 'f1', { isolated: false })).toMatchObject({ kind: 'gone' })
      expect(await at.store.begin(run.id, 'plan', 'f1', { isolated: false })).toMatchObject({ kind: 'closed', run })
      expect(await at.store.begin(run.id, 'rout', 'f1', { isolated: false })).toMatchObject({ kind: 'closed' })
    })

    test('reports a task that started before as suspect, and counts and fences nothing until it begins in isolation', async () => {
      const run = await at.created()
      const first = await at.begun(run.id, 'route', 'f1')
      expect(await at.other.begin(run.id, 'route', 'f2', { isolated: false })).toMatchObject({
        kind: 'suspect',
        starts: 1,
      })
      expect(await at.other.begin(run.id, 'route', 'f2', { isolated: false })).toMatchObject({
        kind: 'suspect',
        starts: 1,
      })
      expect(await at.begun(run.id, 'route', 'f3', true)).toMatchObject({ starts: 2 })
      expect(await at.store.commit(move(run, first.version, { taskId: 'route', fence: 'f1' }))).toEqual({
        kind: 'fenced',
      })
    })

    test('returns the span of the first delivery to a later one, whatever happened to the first start', async () => {
      const run = await at.created()
      const begun = (fence: string, spanId?: string) =>
        at.other.begin(run.id, 'route', fence, { isolated: true, spanId })
      expect(await begun('f0')).not.toHaveProperty('first')
      expect(await begun('f1', 'span-1')).not.toHaveProperty('first')
      expect(await begun('f1', 'span-1')).not.toHaveProperty('first')
      expect(await begun('f2', 'span-2')).toMatchObject({ first: 'span-1' })
      await at.store.uncountStarts(run.id, 'route', 'f2', 'all')
      expect(await begun('f3', 'span-3')).toMatchObject({ first: 'span-1' })
      expect(await begun('f4')).not.toHaveProperty('first')
    })

    test('counts one delivery that begins twice once', async () => {
      const run = await at.created()
      const first = await at.begun(run.id, 'route', 'f1')
      expect(await at.begun(run.id, 'route', 'f1')).toMatchObject({ starts: 1, version: first.version })
    })

    test('counts the tasks of one run separately', async () => {
      const run = await at.created({ open: [researchTask(1), researchTask(2)] })
      await at.begun(run.id, 'research.1.1', 'f1')
      expect(await at.begun(run.id, 'research.2.1', 'f2')).toMatchObject({ starts: 1 })
    })
  })

  describe('commit', () => {
    test('moved: stores the run, its events and its evidence under a new version', async () => {
      const run = await at.created()
      const { version } = await at.begun(run.id, 'route', 'f1')
      const next: Run = { ...run, open: [researchTask(1)], closed: { route: 'research' } }
      const passages = [samplePassage('p1'), samplePassage('p2', 'Earth’s “Moon” \u0000 ✓')]
      const commit = {
        run: next,
        version,
        by: { taskId: 'route', fence: 'f1' },
        events: [abandoned('a'), abandoned('b')],
        evidence: passages,
      }
      expect(await at.store.commit(commit)).toEqual({ kind: 'moved' })
      const loaded = await at.other.load(run.id)
      expect(loaded?.run).toEqual(next)
      expect(loaded?.version).not.toBe(version)
      expect(await at.other.loadMany([run.id, 'nobody'])).toEqual([next, null])
      expect(await at.said(run.id)).toEqual(['asked', 'a', 'b'])
      expect(await at.other.evidence(run.id, ['p2', 'none', 'p1'])).toEqual([passages[1], passages[0]])
    })

    test('never repeats a version', async () => {
      const run = await at.created()
      const seen = new Set<string>()
      for (let i = 0; i < 100; i += 1) {
        const version = await at.versionOf(run.id)
        seen.add(version)
        expect(await at.store.commit(move(run, version, null))).toEqual({ kind: 'moved' })
      }
      expect(seen.size).toBe(100)
    })

    test('raced: another task moved the run; a recomputed move succeeds', async () => {
      const run = await at.created({ open: [researchTask(1), researchTask(2)] })
      const one = await at.begun(run.id, 'research.1.1', 'f1')
      const two = await at.begun(run.id, 'research.2.1', 'f2')
      const afterOne: Run = { ...run, open: [researchTask(2)] }
      expect(
        await at.store.commit(move(afterOne, one.version, { taskId: 'research.1.1', fence: 'f1' }, 'one')),
      ).toEqual({ kind: 'moved' })
      const late = move(
        { ...run, open: [researchTask(1)] },
        two.version,
        { taskId: 'research.2.1', fence: 'f2' },
        'two',
      )
      expect(await at.other.commit(late)).toEqual({ kind: 'raced' })
      expect((await at.store.load(run.id))?.run).toEqual(afterOne)
      expect(
        await at.other.commit({ ...late, run: { ...run, open: [] }, version: await at.versionOf(run.id) }),
      ).toEqual({ kind: 'moved' })
      expect(await at.said(run.id)).toEqual(['asked', 'one', 'two'])
    })

    test('fenced: a newer delivery owns the task, whatever the version', async () => {
      const run = await at.created()
      await at.begun(run.id, 'route', 'f1')
      await at.begun(run.id, 'route', 'f2', true)
      const by = { taskId: 'route', fence: 'f1' }
      expect(await at.store.commit(move(run, await at.versionOf(run.id), by))).toEqual({ kind: 'fenced' })
      expect(await at.store.commit(move(run, 'an old version', by))).toEqual({ kind: 'fenced' })
      expect(await at.said(run.id)).toEqual(['asked'])
    })

    test('lost: no delivery owns the task, because it was never begun, was handed back or was closed', async () => {
      const run = await at.created()
      const by = { taskId: 'route', fence: 'f1' }
      expect(await at.store.commit(move(run, await at.versionOf(run.id), by))).toEqual({ kind: 'lost' })
      await at.begun(run.id, 'route', 'f1')
      await at.store.uncountStarts(run.id, 'route', 'f1', 'own')
      expect(await at.store.commit(move(run, await at.versionOf(run.id), by))).toEqual({ kind: 'lost' })
      await at.begun(run.id, 'route', 'f2')
      expect(await at.store.commit(move({ ...run, open: [] }, await at.versionOf(run.id), null))).toEqual({
        kind: 'moved',
      })
      expect(await at.store.commit(move(run, await at.versionOf(run.id), { taskId: 'route', fence: 'f2' }))).toEqual({
        kind: 'lost',
      })
    })

    test('gone: writes nothing for a missing run', async () => {
      const run = await at.created()
      const { version } = await at.begun(run.id, 'route', 'f1')
      await at.subject.forget(run.id)
      const commit = { ...move(run, version, { taskId: 'route', fence: 'f1' }), evidence: [samplePassage('p1')] }
      expect(await at.store.commit(commit)).toEqual({ kind: 'gone' })
      expect(await at.store.commit({ ...commit, by: null })).toEqual({ kind: 'gone' })
      await at.store.appendDraft(run.id, { taskId: 'route', fence: 'f1', text: 'x' })
      expect(await at.store.countError(run.id, 'route', 'f1')).toBeNull()
      await at.store.uncountStarts(run.id, 'route', 'f1', 'own')
      expect(await at.store.load(run.id)).toBeNull()
      expect(await at.said(run.id)).toEqual([])
      expect(await at.store.draft(run.id, null)).toEqual([])
      expect(await at.store.evidence(run.id, ['p1'])).toEqual([])
    })

    test('applies one commit that is sent twice once', async () => {
      const run = await at.created()
      const { version } = await at.begun(run.id, 'route', 'f1')
      const commit = {
        ...move({ ...run, open: [] }, version, { taskId: 'route', fence: 'f1' }, 'once'),
        next: `v-${run.id}`,
      }
      expect(await at.store.commit(commit)).toEqual({ kind: 'moved' })
      expect(await at.store.commit(commit)).toEqual({ kind: 'moved' })
      expect(await at.said(run.id)).toEqual(['asked', 'once'])
      expect(await at.versionOf(run.id)).toBe(`v-${run.id}`)
    })

    test('needs the version but no fence for a move without a task', async () => {
      const run = await at.created()
      const { version } = await at.begun(run.id, 'route', 'f1')
      expect(await at.store.commit(move({ ...run, open: [] }, 'another', null))).toEqual({ kind: 'raced' })
      expect(await at.store.commit(move({ ...run, open: [] }, version, null))).toEqual({ kind: 'moved' })
      expect(await at.store.begin(run.id, 'route', 'f2', { isolated: false })).toMatchObject({ kind: 'closed' })
    })

    test("late: rejects a move after its time limit by the store's clock, and accepts one before", async () => {
      const run = await at.created()
      const inTime = async (before: number) => ({ ...move(run, await at.versionOf(run.id), null, 'decided'), before })
      expect(await at.store.commit(await inTime(await at.store.now()))).toEqual({ kind: 'late' })
      expect(await at.said(run.id)).toEqual(['asked'])
      expect(await at.store.commit({ ...(await inTime(0)), version: 'an old version' })).toEqual({ kind: 'raced' })
      expect(await at.store.commit(await inTime((await at.store.now()) + 600_000))).toEqual({ kind: 'moved' })
      expect(await at.said(run.id)).toEqual(['asked', 'decided'])
    })

    test("never hides another process's move behind a cached run", async () => {
      const run = await at.created({ open: [researchTask(1), researchTask(2)] })
      const { version } = await at.begun(run.id, 'research.1.1', 'f1')
      const moved: Run = { ...run, open: [researchTask(2)], closed: { 'research.1.1': 'found' } }
      expect(await at.other.commit(move(moved, version, null))).toEqual({ kind: 'moved' })
      expect((await at.store.load(run.id))?.run).toEqual(moved)
      expect(await at.store.begin(run.id, 'research.1.1', 'f2', { isolated: false })).toMatchObject({
        kind: 'closed',
        run: moved,
      })
      expect((await at.begun(run.id, 'research.2.1', 'f3')).run).toEqual(moved)
      expect((await at.begun(run.id, 'research.2.1', 'f3')).run).toEqual(moved)
    })

    test('resets a closed task that opens again; one that stays open keeps its owner', async () => {
      const run = await at.created({ open: [routeTask(), researchTask(1)] })
      await at.begun(run.id, 'research.1.1', 'f0')
      await at.begun(run.id, 'route', 'f1')
      await at.store.countError(run.id, 'route', 'f1')
      await at.begun(run.id, 'route', 'f2')
      await at.store.commit(
        move({ ...run, open: [researchTask(1)] }, await at.versionOf(run.id), { taskId: 'route', fence: 'f2' }),
      )
      await at.store.commit(move(run, await at.versionOf(run.id), { taskId: 'research.1.1', fence: 'f0' }))
      expect(await at.begun(run.id, 'route', 'f3')).toMatchObject({ starts: 1, errors: 0 })
      expect(await at.store.begin(run.id, 'research.1.1', 'f4', { isolated: false })).toMatchObject({
        kind: 'suspect',
        starts: 1,
      })
    })
  })

  describe('errors and starts', () => {
    test('counts an error once per delivery, gives the starts back and keeps the fence', async () => {
      const run = await at.created()
      const { version } = await at.begun(run.id, 'route', 'f1')
      expect(await at.store.countError(run.id, 'route', 'f1')).toBe(1)
      expect(await at.store.countError(run.id, 'route', 'f1')).toBe(1)
      expect(await at.begun(run.id, 'route', 'f2')).toMatchObject({ starts: 1, errors: 1, version })
      expect(await at.other.countError(run.id, 'route', 'f1')).toBeNull()
      expect(await at.store.countError(run.id, 'route', 'f2')).toBe(2)
      expect(await at.store.commit(move({ ...run, open: [] }, version, { taskId: 'route', fence: 'f2' }))).toEqual({
        kind: 'moved',
      })
    })

    test('lets only its owner give a start back, and never below zero', async () => {
      const run = await at.created()
      await at.begun(run.id, 'route', 'f1')
      await at.store.uncountStarts(run.id, 'route', 'another', 'all')
      expect(await at.store.begin(run.id, 'route', 'f2', { isolated: false })).toMatchObject({
        kind: 'suspect',
        starts: 1,
      })
      await at.store.countError(run.id, 'route', 'f1')
      await at.store.uncountStarts(run.id, 'route', 'f1', 'own')
      await at.store.uncountStarts(run.id, 'route', 'f1', 'own')
      expect(await at.begun(run.id, 'route', 'f3')).toMatchObject({ starts: 1, errors: 1 })
    })

    test('keeps unreported starts of a task that is handed on; a report gives all of them back', async () => {
      const run = await at.created()
      const crashed = async (fence: string) => {
        await at.begun(run.id, 'route', `${fence}-crashed`)
        await at.begun(run.id, 'route', fence, true)
      }
      await crashed('f1')
      await at.store.uncountStarts(run.id, 'route', 'f1', 'own')
      expect(await at.store.begin(run.id, 'route', 'f2', { isolated: false })).toMatchObject({
        kind: 'suspect',
        starts: 1,
      })
      expect(await at.begun(run.id, 'route', 'f2', true)).toMatchObject({ starts: 2 })
      await at.store.uncountStarts(run.id, 'route', 'f2', 'all')
      await crashed('f3')
      expect(await at.store.countError(run.id, 'route', 'f3')).toBe(1)
      expect(await at.begun(run.id, 'route', 'f4')).toMatchObject({ starts: 1, errors: 1 })
    })

    test('adds up crashes in isolation', async () => {
      const run = await at.created()
      await at.begun(run.id, 'route', 'f1')
      for (const starts of [2, 3, 4])
        expect(await at.begun(run.id, 'route', `f${starts}`, true)).toMatchObject({ starts })
    })
  })

  describe('after the store was rolled back', () => {
    test('accepts no version from the lost time, even after the same number of moves', async () => {
      const run = await at.created()
      const restore = await at.subject.snapshot(run.id)
      expect(
        await at.store.commit(move({ ...run, status: 'parked' }, await at.versionOf(run.id), null, 'lost')),
      ).toEqual({ kind: 'moved' })
      const lost = await at.versionOf(run.id)
      await restore()
      expect(await at.store.load(run.id)).toMatchObject({ run })
      expect(await at.store.commit(move(run, lost, null))).toEqual({ kind: 'raced' })
      expect(await at.store.commit(move(run, await at.versionOf(run.id), null, 'kept'))).toEqual({ kind: 'moved' })
      expect(await at.store.commit(move(run, lost, null))).toEqual({ kind: 'raced' })
      expect(await at.said(run.id)).toEqual(['asked', 'kept'])
    })

    test('lets a delivery without its fence begin again and move', async () => {
      const run = await at.created()
      const restore = await at.subject.snapshot(run.id)
      const { version } = await at.begun(run.id, 'route', 'f1')
      await restore()
      expect(await at.store.commit(move({ ...run, open: [] }, version, { taskId: 'route', fence: 'f1' }))).toEqual({
        kind: 'lost',
      })
      const again = await at.begun(run.id, 'route', 'f2')
      expect(again.starts).toBe(1)
      expect(
        await at.store.commit(move({ ...run, open: [] }, again.version, { taskId: 'route', fence: 'f2' })),
      ).toEqual({ kind: 'moved' })
    })
  })
}
