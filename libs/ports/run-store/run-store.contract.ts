import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Run } from '@plumbline/flow'
import type { Begun, RunStore } from './run-store'
import { abandoned, asked, researchTask, reviewTask, routeTask, samplePassage, sampleRun } from './sample-run'

/** One store as two processes have it, and what its surroundings can do to it. */
export type RunStoreSubject = {
  store: RunStore
  other: RunStore
  /** Makes a run gone, as its expiry does. */
  forget(runId: string): Promise<void>
  /** Keeps a run as it is and returns what puts it back: the store was rolled back. */
  snapshot(runId: string): Promise<() => Promise<void>>
  close(): Promise<void>
}
type Open = Extract<Begun, { kind: 'open' }>

/** What every run store promises. */
export const runStoreContract = (name: string, open: () => Promise<RunStoreSubject>): void => {
  describe(`${name} as a run store`, () => {
    let subject: RunStoreSubject
    let store: RunStore
    let other: RunStore
    let made = 0
    beforeAll(async () => {
      subject = await open()
      ;({ store, other } = subject)
    })
    afterAll(() => subject.close())

    const newId = (): string => `r${String((made += 1)).padStart(24, '0')}`
    const created = async (over: Partial<Run> = {}): Promise<Run> => {
      const run = sampleRun({ id: newId(), ...over })
      expect(await store.create(run, [asked()], 'body')).toEqual({ kind: 'created' })
      return run
    }
    const begun = async (runId: string, taskId: string, fence: string, isolated = false): Promise<Open> => {
      const answer = await store.begin(runId, taskId, fence, { isolated })
      if (answer.kind !== 'open') throw new Error(`expected an open task, not ${answer.kind}`)
      return answer
    }
    const move = (run: Run, version: string, by: { taskId: string; fence: string } | null, say = 'moved') => ({
      run, version, by, events: [abandoned(say)], evidence: [],
    })
    const versionOf = async (runId: string): Promise<string> => (await store.load(runId))?.version ?? ''
    const said = async (runId: string): Promise<string[]> =>
      (await store.ledger(runId, null, 1_000)).map(({ event }) => (event.type === 'abandoned' ? event.reason : event.type))

    describe('create', () => {
      test('the same ask again finds its run, another body is a conflict, and the ledger is written once', async () => {
        const run = await created()
        expect(await other.create({ ...run, question: 'Another?' }, [asked()], 'body')).toEqual({ kind: 'exists', run })
        expect(await other.create(run, [asked()], 'other body')).toEqual({ kind: 'conflict' })
        expect(await said(run.id)).toEqual(['asked'])
        expect((await store.load(run.id))?.run).toEqual(run)
      })

      test('of fifty at once one creates', async () => {
        const run = sampleRun({ id: newId() })
        const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? store : other).create(run, [asked()], 'body')))
        expect(answers.filter(({ kind }) => kind === 'created')).toHaveLength(1)
        expect(answers.filter(({ kind }) => kind === 'exists')).toHaveLength(49)
        expect(await said(run.id)).toEqual(['asked'])
      })
    })

    describe('begin', () => {
      test('an open task gives the run, its version, its first start and the time of the store', async () => {
        const run = await created()
        const before = await store.now()
        const answer = await begun(run.id, 'route', 'f1')
        expect(answer).toMatchObject({ run, starts: 1, errors: 0, version: await versionOf(run.id) })
        expect(answer.now).toBeGreaterThanOrEqual(before)
        expect(answer.now).toBeLessThanOrEqual(await store.now())
      })

      test('a run that is not there is gone; a task that is not open is closed', async () => {
        const run = await created()
        expect(await store.begin(newId(), 'route', 'f1', { isolated: false })).toMatchObject({ kind: 'gone' })
        expect(await store.begin(run.id, 'plan', 'f1', { isolated: false })).toMatchObject({ kind: 'closed', run })
        expect(await store.begin(run.id, 'rout', 'f1', { isolated: false })).toMatchObject({ kind: 'closed' })
      })

      test('a task that started before is suspect, and nothing is counted or fenced until it is begun in isolation', async () => {
        const run = await created()
        const first = await begun(run.id, 'route', 'f1')
        expect(await other.begin(run.id, 'route', 'f2', { isolated: false })).toMatchObject({ kind: 'suspect', starts: 1 })
        expect(await other.begin(run.id, 'route', 'f2', { isolated: false })).toMatchObject({ kind: 'suspect', starts: 1 })
        expect(await begun(run.id, 'route', 'f3', true)).toMatchObject({ starts: 2 })
        expect(await store.commit(move(run, first.version, { taskId: 'route', fence: 'f1' }))).toEqual({ kind: 'fenced' })
      })

      test('one delivery that asks twice is counted once', async () => {
        const run = await created()
        const first = await begun(run.id, 'route', 'f1')
        expect(await begun(run.id, 'route', 'f1')).toMatchObject({ starts: 1, version: first.version })
      })

      test('the tasks of one run are counted apart', async () => {
        const run = await created({ open: [researchTask(1), researchTask(2)] })
        await begun(run.id, 'research.1.1', 'f1')
        expect(await begun(run.id, 'research.2.1', 'f2')).toMatchObject({ starts: 1 })
      })
    })

    describe('commit', () => {
      test('moved: the run, its events and its evidence are kept under another version', async () => {
        const run = await created()
        const { version } = await begun(run.id, 'route', 'f1')
        const next: Run = { ...run, open: [researchTask(1)], closed: { route: 'research' } }
        const passages = [samplePassage('p1'), samplePassage('p2', 'Earth’s “Moon” \u0000 ✓')]
        const commit = { run: next, version, by: { taskId: 'route', fence: 'f1' }, events: [abandoned('a'), abandoned('b')], evidence: passages }
        expect(await store.commit(commit)).toEqual({ kind: 'moved' })
        const loaded = await other.load(run.id)
        expect(loaded?.run).toEqual(next)
        expect(loaded?.version).not.toBe(version)
        expect(await other.loadMany([run.id, 'nobody'])).toEqual([next, null])
        expect(await said(run.id)).toEqual(['asked', 'a', 'b'])
        expect(await other.evidence(run.id, ['p2', 'none', 'p1'])).toEqual([passages[1], passages[0]])
      })

      test('a version never comes again', async () => {
        const run = await created()
        const seen = new Set<string>()
        for (let i = 0; i < 100; i += 1) {
          const version = await versionOf(run.id)
          seen.add(version)
          expect(await store.commit(move(run, version, null))).toEqual({ kind: 'moved' })
        }
        expect(seen.size).toBe(100)
      })

      test('raced: another task moved the run; computed again it moves', async () => {
        const run = await created({ open: [researchTask(1), researchTask(2)] })
        const one = await begun(run.id, 'research.1.1', 'f1')
        const two = await begun(run.id, 'research.2.1', 'f2')
        const afterOne: Run = { ...run, open: [researchTask(2)] }
        expect(await store.commit(move(afterOne, one.version, { taskId: 'research.1.1', fence: 'f1' }, 'one'))).toEqual({ kind: 'moved' })
        const late = move({ ...run, open: [researchTask(1)] }, two.version, { taskId: 'research.2.1', fence: 'f2' }, 'two')
        expect(await other.commit(late)).toEqual({ kind: 'raced' })
        expect((await store.load(run.id))?.run).toEqual(afterOne)
        expect(await other.commit({ ...late, run: { ...run, open: [] }, version: await versionOf(run.id) })).toEqual({ kind: 'moved' })
        expect(await said(run.id)).toEqual(['asked', 'one', 'two'])
      })

      test('fenced: a newer delivery owns the task, whatever the version', async () => {
        const run = await created()
        await begun(run.id, 'route', 'f1')
        await begun(run.id, 'route', 'f2', true)
        const by = { taskId: 'route', fence: 'f1' }
        expect(await store.commit(move(run, await versionOf(run.id), by))).toEqual({ kind: 'fenced' })
        expect(await store.commit(move(run, 'an old version', by))).toEqual({ kind: 'fenced' })
        expect(await said(run.id)).toEqual(['asked'])
      })

      test('lost: no delivery owns the task, because it was never begun, handed back or closed', async () => {
        const run = await created()
        const by = { taskId: 'route', fence: 'f1' }
        expect(await store.commit(move(run, await versionOf(run.id), by))).toEqual({ kind: 'lost' })
        await begun(run.id, 'route', 'f1')
        await store.uncountStart(run.id, 'route', 'f1')
        expect(await store.commit(move(run, await versionOf(run.id), by))).toEqual({ kind: 'lost' })
        await begun(run.id, 'route', 'f2')
        expect(await store.commit(move({ ...run, open: [] }, await versionOf(run.id), null))).toEqual({ kind: 'moved' })
        expect(await store.commit(move(run, await versionOf(run.id), { taskId: 'route', fence: 'f2' }))).toEqual({ kind: 'lost' })
      })

      test('gone: nothing is written for a run that is not there', async () => {
        const run = await created()
        const { version } = await begun(run.id, 'route', 'f1')
        await subject.forget(run.id)
        const commit = { ...move(run, version, { taskId: 'route', fence: 'f1' }), evidence: [samplePassage('p1')] }
        expect(await store.commit(commit)).toEqual({ kind: 'gone' })
        expect(await store.commit({ ...commit, by: null })).toEqual({ kind: 'gone' })
        await store.appendDraft(run.id, { taskId: 'route', start: 1, text: 'x' })
        expect(await store.countError(run.id, 'route', 'f1')).toBeNull()
        await store.uncountStart(run.id, 'route', 'f1')
        expect(await store.load(run.id)).toBeNull()
        expect(await said(run.id)).toEqual([])
        expect(await store.draft(run.id, null)).toEqual([])
        expect(await store.evidence(run.id, ['p1'])).toEqual([])
      })

      test('one commit sent twice moves once', async () => {
        const run = await created()
        const { version } = await begun(run.id, 'route', 'f1')
        const commit = { ...move({ ...run, open: [] }, version, { taskId: 'route', fence: 'f1' }, 'once'), next: `v-${run.id}` }
        expect(await store.commit(commit)).toEqual({ kind: 'moved' })
        expect(await store.commit(commit)).toEqual({ kind: 'moved' })
        expect(await said(run.id)).toEqual(['asked', 'once'])
        expect(await versionOf(run.id)).toBe(`v-${run.id}`)
      })

      test('a move no task reports needs the version and no fence', async () => {
        const run = await created()
        const { version } = await begun(run.id, 'route', 'f1')
        expect(await store.commit(move({ ...run, open: [] }, 'another', null))).toEqual({ kind: 'raced' })
        expect(await store.commit(move({ ...run, open: [] }, version, null))).toEqual({ kind: 'moved' })
        expect(await store.begin(run.id, 'route', 'f2', { isolated: false })).toMatchObject({ kind: 'closed' })
      })

      test('a task that closed starts from nothing when it opens again; one that stays open keeps its owner', async () => {
        const run = await created({ open: [routeTask(), researchTask(1)] })
        await begun(run.id, 'research.1.1', 'f0')
        await begun(run.id, 'route', 'f1')
        await store.countError(run.id, 'route', 'f1')
        await begun(run.id, 'route', 'f2')
        await store.commit(move({ ...run, open: [researchTask(1)] }, await versionOf(run.id), { taskId: 'route', fence: 'f2' }))
        await store.commit(move(run, await versionOf(run.id), { taskId: 'research.1.1', fence: 'f0' }))
        expect(await begun(run.id, 'route', 'f3')).toMatchObject({ starts: 1, errors: 0 })
        expect(await store.begin(run.id, 'research.1.1', 'f4', { isolated: false })).toMatchObject({ kind: 'suspect', starts: 1 })
      })
    })

    describe('errors and starts', () => {
      test('an error is counted once per delivery, gives the start back and leaves the fence', async () => {
        const run = await created()
        const { version } = await begun(run.id, 'route', 'f1')
        expect(await store.countError(run.id, 'route', 'f1')).toBe(1)
        expect(await store.countError(run.id, 'route', 'f1')).toBe(1)
        expect(await begun(run.id, 'route', 'f2')).toMatchObject({ starts: 1, errors: 1, version })
        expect(await other.countError(run.id, 'route', 'f1')).toBeNull()
        expect(await store.countError(run.id, 'route', 'f2')).toBe(2)
        expect(await store.commit(move({ ...run, open: [] }, version, { taskId: 'route', fence: 'f2' }))).toEqual({ kind: 'moved' })
      })

      test('a start is given back by its owner only, and never below nothing', async () => {
        const run = await created()
        await begun(run.id, 'route', 'f1')
        await store.uncountStart(run.id, 'route', 'another')
        expect(await store.begin(run.id, 'route', 'f2', { isolated: false })).toMatchObject({ kind: 'suspect', starts: 1 })
        await store.countError(run.id, 'route', 'f1')
        await store.uncountStart(run.id, 'route', 'f1')
        await store.uncountStart(run.id, 'route', 'f1')
        expect(await begun(run.id, 'route', 'f3')).toMatchObject({ starts: 1, errors: 1 })
      })

      test('crashes add up in isolation', async () => {
        const run = await created()
        await begun(run.id, 'route', 'f1')
        for (const starts of [2, 3, 4]) expect(await begun(run.id, 'route', `f${starts}`, true)).toMatchObject({ starts })
      })
    })

    describe('after the store was rolled back', () => {
      test('a version from the lost time matches nothing, not even after as many moves', async () => {
        const run = await created()
        const restore = await subject.snapshot(run.id)
        expect(await store.commit(move(run, await versionOf(run.id), null, 'lost'))).toEqual({ kind: 'moved' })
        const lost = await versionOf(run.id)
        await restore()
        expect(await store.commit(move(run, lost, null))).toEqual({ kind: 'raced' })
        expect(await store.commit(move(run, await versionOf(run.id), null, 'kept'))).toEqual({ kind: 'moved' })
        expect(await store.commit(move(run, lost, null))).toEqual({ kind: 'raced' })
        expect(await said(run.id)).toEqual(['asked', 'kept'])
      })

      test('a delivery whose fence was lost begins again and moves', async () => {
        const run = await created()
        const restore = await subject.snapshot(run.id)
        const { version } = await begun(run.id, 'route', 'f1')
        await restore()
        expect(await store.commit(move({ ...run, open: [] }, version, { taskId: 'route', fence: 'f1' }))).toEqual({ kind: 'lost' })
        const again = await begun(run.id, 'route', 'f2')
        expect(again.starts).toBe(1)
        expect(await store.commit(move({ ...run, open: [] }, again.version, { taskId: 'route', fence: 'f2' }))).toEqual({ kind: 'moved' })
      })
    })

    describe('ledger', () => {
      test('is read in order, in pieces and behind an id, with each event as it was', async () => {
        const run = await created()
        for (let i = 0; i < 5; i += 1) {
          await store.commit({ ...move(run, await versionOf(run.id), null), events: [abandoned(`${i}a`), { ...asked(`${i}b`), task: 'route' }] })
        }
        const all = await store.ledger(run.id, null, 100)
        expect(all).toHaveLength(11)
        expect(all[2]?.event).toEqual({ ...asked('0b'), task: 'route' })
        expect(new Set(all.map(({ event }) => event.audience))).toEqual(new Set(['asker', 'desk']))
        const pieces = []
        for (let after: string | null = null; ; ) {
          const piece = await other.ledger(run.id, after, 3)
          if (piece.length === 0) break
          pieces.push(...piece)
          after = piece.at(-1)!.id
        }
        expect(pieces).toEqual(all)
        expect(await store.ledger(run.id, all.at(-1)!.id, 10)).toEqual([])
        expect(await store.ledger('nobody', null, 10)).toEqual([])
      })
    })

    describe('draft', () => {
      test('only the newest delivery of an open task is heard, and its start tells which text is void', async () => {
        const run = await created()
        const write = (start: number, text: string) => store.appendDraft(run.id, { taskId: 'route', start, text })
        await begun(run.id, 'route', 'f1')
        await write(1, 'The ')
        await write(1, 'Moon')
        await begun(run.id, 'route', 'f2', true)
        await write(1, ' from a late delivery')
        await write(2, 'Earth')
        const entries = await other.draft(run.id, null)
        expect(entries.map(({ delta }) => delta)).toEqual([
          { taskId: 'route', start: 1, text: 'The ' }, { taskId: 'route', start: 1, text: 'Moon' }, { taskId: 'route', start: 2, text: 'Earth' },
        ])
        expect(await store.draft(run.id, entries[1]!.id)).toEqual(entries.slice(2))
        await store.commit(move({ ...run, open: [] }, await versionOf(run.id), { taskId: 'route', fence: 'f2' }))
        await write(2, ' after the end')
        expect(await store.draft(run.id, entries[2]!.id)).toEqual([])
      })

      test.each(['uncountStart', 'countError'] as const)('the start in the stream grows also after %s', async (giveBack) => {
        const run = await created()
        await begun(run.id, 'route', 'f1')
        await store.appendDraft(run.id, { taskId: 'route', start: 1, text: 'void' })
        await store[giveBack](run.id, 'route', 'f1')
        await store.appendDraft(run.id, { taskId: 'route', start: 1, text: 'from nobody' })
        expect(await begun(run.id, 'route', 'f2')).toMatchObject({ starts: 1 })
        await store.appendDraft(run.id, { taskId: 'route', start: 1, text: 'valid' })
        expect((await store.draft(run.id, null)).map(({ delta }) => [delta.start, delta.text])).toEqual([[1, 'void'], [2, 'valid']])
      })
    })

    describe('evidence', () => {
      test('comes by id in the order asked; the newest of one id stands', async () => {
        const run = await created()
        const commit = async (...evidence: ReturnType<typeof samplePassage>[]) =>
          store.commit({ ...move(run, await versionOf(run.id), null), evidence })
        await commit(samplePassage('p1', 'old'), samplePassage('p2'))
        await commit(samplePassage('p1', 'new'), samplePassage('p3'))
        expect((await store.evidence(run.id, ['p3', 'p1'])).map(({ id, text }) => [id, text])).toEqual([['p3', samplePassage('p3').text], ['p1', 'new']])
        expect(await store.evidence(run.id, [])).toEqual([])
        expect(await store.evidence('nobody', ['p1'])).toEqual([])
      })
    })

    describe('due runs', () => {
      test('are taken once by two takers at once, oldest first, and come again when their next look is due', async () => {
        const lane = `lane-${newId()}`
        const now = await store.now()
        const ids = Array.from({ length: 60 }, (_, i) => `run-${String(i).padStart(2, '0')}`)
        for (const [i, runId] of ids.entries()) await store.schedule({ lane, runId }, now - 1_000 + i)
        await store.schedule({ lane, runId: 'not yet' }, now + 600_000)
        expect(await store.takeDue(lane, 10, 600_000)).toEqual(ids.slice(0, 10))
        const taken = await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? store : other).takeDue(lane, 5, 600_000)))
        expect(taken.flat().sort()).toEqual(ids.slice(10))
        expect(await store.takeDue(lane, 10, 600_000)).toEqual([])
        await store.schedule({ lane, runId: 'again' }, now)
        expect(await store.takeDue(lane, 10, 0)).toEqual(['again'])
        expect(await store.takeDue(lane, 10, 600_000)).toEqual(['again'])
      })

      test('of another lane, or unscheduled, are not taken', async () => {
        const [lane, elsewhere] = [`lane-${newId()}`, `lane-${newId()}`]
        await store.schedule({ lane, runId: 'a' }, 0)
        await store.schedule({ lane: elsewhere, runId: 'b' }, 0)
        await other.unschedule({ lane, runId: 'a' })
        expect(await store.takeDue(lane, 10, 0)).toEqual([])
        expect(await store.takeDue(elsewhere, 10, 0)).toEqual(['b'])
      })
    })

    describe('list', () => {
      const pages = async (tenant: string, limit: number, status?: Run['status']): Promise<string[]> => {
        const ids: string[] = []
        let cursor: string | null = null
        do {
          const page = await store.list(tenant, { cursor, limit, status })
          expect(page.ids.length).toBeLessThanOrEqual(limit)
          ids.push(...page.ids)
          cursor = page.next
          if (cursor !== null) expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,256}$/)
        } while (cursor !== null)
        return ids
      }

      test('a tenant sees its own runs, newest first, each once, whatever the page', async () => {
        const tenant = `t-${newId()}`
        const at = Date.now()
        const runs: Run[] = []
        // Several of one millisecond, so that a page ends between them.
        for (let i = 0; i < 23; i += 1) runs.push(await created({ tenant, createdAt: at + Math.floor(i / 5) }))
        await created({ tenant: `${tenant}-other` })
        const newestFirst = runs.map(({ id }) => id).reverse()
        for (const limit of [1, 4, 5, 23, 100]) expect(await pages(tenant, limit)).toEqual(newestFirst)
      })

      test('a run asked for twice stands once; a run that is gone not at all; what comes in does not shift a page', async () => {
        const tenant = `t-${newId()}`
        const at = Date.now()
        const runs: Run[] = []
        for (let i = 0; i < 5; i += 1) runs.push(await created({ tenant, createdAt: at + i }))
        await store.create(runs[0]!, [], 'body')
        await subject.forget(runs[3]!.id)
        const first = await store.list(tenant, { cursor: null, limit: 2 })
        expect(first.ids).toEqual([runs[4]!.id, runs[2]!.id])
        await created({ tenant, createdAt: at + 10 })
        expect((await store.list(tenant, { cursor: first.next, limit: 5 })).ids).toEqual([runs[1]!.id, runs[0]!.id])
      })

      test('by status, as the runs stand now', async () => {
        const tenant = `t-${newId()}`
        const at = Date.now()
        const runs: Run[] = []
        for (let i = 0; i < 6; i += 1) runs.push(await created({ tenant, createdAt: at + i }))
        const set = async (run: Run, status: Run['status'], open: Run['open'] = []) =>
          expect(await store.commit(move({ ...run, status, open }, await versionOf(run.id), null))).toEqual({ kind: 'moved' })
        for (const run of runs.slice(0, 4)) await set(run, 'parked', [reviewTask(1, at + 60_000)])
        await set(runs[1]!, 'answered')
        await set(runs[2]!, 'running', [routeTask()])
        await set(runs[2]!, 'parked', [reviewTask(2, at + 60_000)])
        expect(await pages(tenant, 2, 'parked')).toEqual([runs[3]!.id, runs[2]!.id, runs[0]!.id])
        expect(await pages(tenant, 2, 'answered')).toEqual([runs[1]!.id])
        expect(await pages(tenant, 2, 'running')).toEqual([runs[5]!.id, runs[4]!.id])
        expect(await pages(tenant, 2, 'failed')).toEqual([])
        await subject.forget(runs[3]!.id)
        expect(await pages(tenant, 1, 'parked')).toEqual([runs[2]!.id, runs[0]!.id])
      })
    })

    describe('subscribe', () => {
      test('every process hears the id of a run that was committed, until it stops listening', async () => {
        const heard: Record<'here' | 'there', string[]> = { here: [], there: [] }
        const stopHere = await store.subscribe((id) => void heard.here.push(id))
        const stopThere = await other.subscribe((id) => void heard.there.push(id))
        const run = await created()
        await store.commit(move(run, await versionOf(run.id), null))
        await expect.poll(() => heard).toEqual({ here: [run.id], there: [run.id] })
        expect(await store.commit(move(run, 'an old version', null))).toEqual({ kind: 'raced' })
        await stopHere()
        await other.commit(move(run, await versionOf(run.id), null))
        await expect.poll(() => heard.there).toEqual([run.id, run.id])
        expect(heard.here).toEqual([run.id])
        await stopThere()
      })
    })
  })
}
