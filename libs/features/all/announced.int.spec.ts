import { describe, expect, it } from 'vitest'
import { batchNews } from '@plumbline/features/batches/news'
import { openBatches } from '@plumbline/features/batches/store/batches'
import { scheduleNews } from '@plumbline/features/schedules/news'
import { openSchedules } from '@plumbline/features/schedules/store/schedules'
import { announceDue } from '@plumbline/features/webhooks/announce'
import { hook, ids, messages, openParts, openWorld, redis, tenant } from '@plumbline/features/webhooks/spec/world'

openWorld()

describe('questions of batches and schedules', () => {
  const asker = { name: 'key-1', roles: ['asker'], access: [] }
  const told = async () => {
    const { ports, deliver } = openParts(undefined, {
      batch: batchNews.open(redis),
      schedule: scheduleNews.open(redis),
    })
    await announceDue(ports)
    for (const id of await ids()) await deliver(id)
    return messages().map(({ type, data }) => ({ type, ...data }))
  }

  it('includes a batch once, after all its lines have ended', async () => {
    await hook()
    const batches = openBatches(redis)
    const id = `b${'1'.repeat(24)}`
    const batch = { id, tenant, asker, total: 2, lines: 'x', createdAt: Date.now() }
    await batches.create(batch, 'hash', [{ custom_id: 'a' }, { custom_id: 'b' }])
    expect(await batches.claim(batch, { atOnce: 2, perMinute: undefined })).toEqual([1, 2])
    await batches.move(batch, 1, { to: 'answered', at: Date.now() })
    expect(await batches.end(batch, Date.now())).toBe(false)
    expect(await told()).toEqual([])
    await batches.move(batch, 2, { to: 'failed', at: Date.now() })
    expect(await batches.end(batch, Date.now())).toBe(true)
    await batches.end(batch, Date.now())
    expect(await told()).toEqual([{ type: 'batch.finished', batchId: id, status: 'finished' }])
  })

  it('includes a changed answer and a stopped schedule, but not an unchanged answer', async () => {
    await hook()
    const schedules = openSchedules(redis)
    const id = `s${'1'.repeat(24)}`
    const when = { by: 'change' } as const
    await schedules.create(
      { id, tenant, ask: { question: 'x' }, when, asker, createdAt: Date.now() },
      { outcomes: [] },
      '',
    )
    const outcome = (runId: string, answer: 'same' | 'changed') =>
      ({ runId, askedAt: new Date().toISOString(), status: 'answered', answer }) as const
    for (const state of [
      { outcomes: [outcome('r1', 'same')] },
      { outcomes: [outcome('r2', 'changed'), outcome('r1', 'same')] },
      { outcomes: [outcome('r2', 'changed')], stopped: { at: Date.now(), reason: 'A secret reason' } },
    ]) {
      const held = await schedules.one(tenant, id)
      if (!held) throw new Error('it is gone')
      await schedules.note(held, state, 'stopped' in state ? 'stopped' : state.outcomes[0]?.runId)
    }
    expect((await told()).sort((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
      {
        type: 'schedule.changed',
        scheduleId: id,
        runId: 'r2',
        status: 'answered',
        link: 'https://plumbline.example/runs/r2',
      },
      { type: 'schedule.stopped', scheduleId: id, status: 'stopped' },
    ])
  })
})
