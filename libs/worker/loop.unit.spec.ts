import { describe, expect, it, vi } from 'vitest'
import { end } from '@plumbline/flow'
import { AppError } from '@plumbline/platform'
import type { StageHandler } from './handler'
import { createIsolation, createInFlight, dispatchAll, moveRun } from '.'
import { crash, runId, toResearch, world } from './spec/world'

const done = { kind: 'done' }

describe('a delivery', () => {
  it('moves its run and dispatches newly opened tasks, and no earlier ones', async () => {
    const { router, waiting, queue, told } = await world()
    queue.take('main', 'router')
    expect(await router(toResearch)()).toEqual(done)
    expect(waiting()).not.toContain('route')
    expect(waiting()).toHaveLength(1)
    expect(await told()).toContain('routed')
  })

  it('of a closed task dispatches every open task, in case of a crash between commit and dispatch', async () => {
    const { router, waiting, queue } = await world()
    const deliver = router(toResearch)
    await deliver()
    const opened = waiting()
    while (queue.take('main', 'planner') ?? queue.take('main', 'researcher') ?? queue.take('main', 'router'));
    expect(waiting()).toEqual([])
    expect(await deliver()).toEqual(done)
    expect(waiting()).toEqual(opened.filter((taskId) => taskId !== 'route'))
  })

  it('may open an early search while its route is still open, but not if it started before', async () => {
    const { router, waiting, queue, run } = await world()
    queue.take('main', 'router')
    const early: StageHandler<'route'> = async (work) => {
      await work.startAhead?.()
      expect((await work.latest?.())?.run.open.map(({ id }) => id)).toEqual(['research.1.0', 'route'])
      expect(waiting()).toEqual(['research.1.0'])
      return { outcome: 'decline', logic: 'l' }
    }
    expect(await router(early)()).toEqual(done)
    expect(await run()).toMatchObject({ closed: { 'research.1.0': 'dropped', route: 'decline' } })
    const other = await world()
    void other.router(crash)()
    const seen: unknown[] = []
    await vi.waitFor(async () => {
      await other.router(async (work) => {
        seen.push(work.startAhead)
        return toResearch(work)
      })()
      expect(seen).toEqual([undefined])
    })
  })

  it('of a missing run is acknowledged', async () => {
    const { router, store } = await world()
    store.forget(runId)
    expect(await router(toResearch)()).toEqual(done)
  })

  it('fenced by a newer one stops silently: one effect, and its late draft is dropped', async () => {
    const { router, store, told } = await world()
    let wake: (() => void) | undefined
    const slow: StageHandler<'route'> = async (work) => {
      await new Promise<void>((resolve) => (wake = resolve))
      work.onDelta('late')
      return toResearch(work)
    }
    const first = router(slow)()
    await vi.waitFor(() => expect(wake).toBeDefined())
    expect(await router(toResearch)()).toEqual(done)
    wake?.()
    expect(await first).toEqual(done)
    expect((await told()).filter((type) => type === 'routed')).toEqual(['routed'])
    expect(await store.draft(runId, null)).toEqual([])
  })

  it('begins again if a rolled-back store has lost its fence', async () => {
    const { router, store, told } = await world()
    const rollBack = store.snapshot(runId)
    let calls = 0
    const route: StageHandler<'route'> = async (work) => {
      calls += 1
      if (calls === 1) rollBack()
      return toResearch(work)
    }
    expect(await router(route)()).toEqual(done)
    expect(calls).toBe(2)
    expect((await told()).filter((type) => type === 'routed')).toEqual(['routed'])
  })

  it('recomputes its move if the run was moved meanwhile', async () => {
    const { router, store, run } = await world()
    const route: StageHandler<'route'> = async (work) => {
      await moveRun(store, runId, (current) => ({
        kind: 'moved',
        run: { ...current, metadata: { moved: 'yes' } },
        events: [],
        evidence: [],
      }))
      return toResearch(work)
    }
    expect(await router(route)()).toEqual(done)
    expect(await run()).toMatchObject({ metadata: { moved: 'yes' }, closed: { route: 'research' } })
  })

  it('leaves its run ended if it ended meanwhile', async () => {
    const { router, store, run } = await world()
    const route: StageHandler<'route'> = async (work) => {
      await moveRun(store, runId, (current, at) => end(current, { status: 'cancelled', by: 'asker', at }))
      return toResearch(work)
    }
    expect(await router(route)()).toEqual(done)
    expect((await run()).status).toBe('cancelled')
  })
})

describe('a task that crashes its process', () => {
  it('is abandoned after three crashes, never beside another task after the first', async () => {
    const { router, store, told } = await world()
    let crashes = 0
    const poison: StageHandler<'route'> = (work) => {
      crashes += 1
      return crash(work)
    }
    for (const before of [0, 1, 2]) {
      void router(poison)()
      await vi.waitFor(() => expect(crashes).toBe(before + 1))
    }
    expect(await router(poison)()).toEqual(done)
    expect(crashes).toBe(3)
    expect((await told()).filter((type) => type === 'abandoned')).toEqual(['abandoned'])
    expect((await store.load(runId))?.run.closed.route).toBe('abandoned')
  })

  it('waits for its isolation before its start is counted, so that no healthy task looks like the culprit', async () => {
    const { router, store, observed } = await world()
    const isolation = createIsolation()
    const other = await isolation.enter(true, new AbortController().signal)
    const delivery = router(toResearch, { isolation })()
    await new Promise((resolve) => setImmediate(resolve))
    expect(await store.begin(runId, 'route', 'someone', { isolated: false })).toMatchObject({ kind: 'open', starts: 1 })
    await store.uncountStarts(runId, 'route', 'someone', 'own')
    other?.leave()
    expect(await delivery).toEqual(done)
    expect(observed).toMatchObject([{ outcome: 'research', redelivered: false }])
  })

  it('runs alone once: any report ends the suspicion', async () => {
    const { router, store, observed } = await world()
    const crowded: typeof store = { ...store, commit: async () => ({ kind: 'raced' }) }
    const says: [StageHandler<'route'>, typeof store, string][] = [
      [() => Promise.reject(new AppError('model.down', 'later')), store, 'later'],
      [() => Promise.reject(new Error('no luck')), store, 'later'],
      [toResearch, crowded, 'later'],
      [toResearch, store, 'done'],
    ]
    for (const [handler, through, kind] of says) {
      await store.begin(runId, 'route', 'crashed', { isolated: false })
      expect(await router(handler, {}, through)()).toMatchObject({ kind })
      if (kind === 'done') break
      expect(await store.begin(runId, 'route', 'next', { isolated: false })).toMatchObject({ kind: 'open', starts: 1 })
      await store.uncountStarts(runId, 'route', 'next', 'own')
    }
    expect(observed.map(({ outcome, redelivered }) => [outcome, redelivered])).toEqual([
      ['later', true],
      ['error', true],
      ['research', true],
    ])
  })

  it('stays suspect if it is only handed on', async () => {
    const { router, store } = await world()
    await store.begin(runId, 'route', 'crashed', { isolated: false })
    const inFlight = createInFlight()
    const delivery = router(crash, { inFlight })()
    await vi.waitFor(() => expect(inFlight.size).toBe(1))
    inFlight.stopAll('drain')
    expect(await delivery).toEqual({ kind: 'back' })
    expect(await store.begin(runId, 'route', 'next', { isolated: false })).toMatchObject({ kind: 'suspect', starts: 1 })
  })

  it('gives its start back on a drain, even if the store fails for a moment', async () => {
    const { router, store } = await world()
    const inFlight = createInFlight()
    let failures = 2
    const flaky: typeof store = {
      ...store,
      uncountStarts: async (...args) => {
        if (failures-- > 0) throw new AppError('store.unavailable', 'later')
        return store.uncountStarts(...args)
      },
    }
    const delivery = router(crash, { inFlight }, flaky)()
    await vi.waitFor(() => expect(inFlight.size).toBe(1))
    inFlight.stopAll('drain')
    expect(await delivery).toEqual({ kind: 'back' })
    expect(await store.begin(runId, 'route', 'next', { isolated: false })).toMatchObject({ kind: 'open', starts: 1 })
  })

  it('is recognized by its starts alone if its job was lost and added again', async () => {
    const { router, store } = await world()
    await store.begin(runId, 'route', 'crashed', { isolated: false })
    const isolation = createIsolation()
    const inFlight = createInFlight()
    const other = await isolation.enter(false, new AbortController().signal)
    const delivery = router(toResearch, { isolation, inFlight })()
    await new Promise((resolve) => setImmediate(resolve))
    expect(inFlight.size).toBe(0)
    other?.leave()
    expect(await delivery).toEqual(done)
  })
})

describe('a store that fails', () => {
  it("does not lose the task's result: the commit is repeated", async () => {
    const { router, store, run } = await world()
    let failures = 2
    let calls = 0
    const flaky: typeof store = {
      ...store,
      commit: async (move) => {
        const committed = await store.commit(move)
        if (failures-- > 0) throw new AppError('store.unavailable', 'later')
        return committed
      },
    }
    const route: StageHandler<'route'> = (work) => {
      calls += 1
      return toResearch(work)
    }
    expect(await router(route, {}, flaky)()).toEqual(done)
    expect(calls).toBe(1)
    expect((await run()).closed.route).toBe('research')
  })

  it('sends the delivery back if it stays away, without using up an attempt', async () => {
    const { router, store } = await world()
    const away: typeof store = { ...store, begin: () => Promise.reject(new AppError('store.unavailable', 'later')) }
    expect(await router(toResearch, { storeRetryMs: 50 }, away)()).toMatchObject({ kind: 'later' })
    expect(await store.begin(runId, 'route', 'next', { isolated: false })).toMatchObject({
      kind: 'open',
      starts: 1,
      errors: 0,
    })
  })
})

describe('two states of a run', () => {
  it("that ended has no job, and leaves the sweeper's list", async () => {
    const { store, queue, run } = await world()
    await store.schedule({ lane: 'main', runId }, 0)
    await moveRun(store, runId, (current, at) => end(current, { status: 'cancelled', by: 'asker', at }))
    await dispatchAll({ store, queue }, await run())
    expect((await store.takeDue('main', 10, 1)).runIds).toEqual([])
  })
})
