import { describe, expect, it } from 'vitest'
import { createIsolation, type TaskSlot } from './isolation'

const never = new AbortController().signal
const settled = async <T>(promise: Promise<T>): Promise<T | 'waiting'> =>
  Promise.race([promise, new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')))])
const into = async (promise: Promise<TaskSlot | null>): Promise<TaskSlot> => {
  const place = await promise
  if (!place) throw new Error('not let in')
  return place
}

describe('isolation', () => {
  it('lets healthy tasks run side by side', async () => {
    const isolation = createIsolation()
    await into(isolation.enter(false, never))
    expect(await settled(isolation.enter(false, never))).toMatchObject({ alone: false })
  })

  it('lets a suspect run only while nothing else does', async () => {
    const isolation = createIsolation()
    const healthy = await into(isolation.enter(false, never))
    const suspect = isolation.enter(true, never)
    expect(await settled(suspect)).toBe('waiting')
    healthy.leave()
    const alone = await into(suspect)
    const next = isolation.enter(false, never)
    const second = isolation.enter(true, never)
    expect(await settled(next)).toBe('waiting')
    alone.leave()
    const after = await into(next)
    expect(await settled(second)).toBe('waiting')
    after.leave()
    expect(await settled(second)).toMatchObject({ alone: true })
  })

  it('lets no task overtake a waiting suspect', async () => {
    const isolation = createIsolation()
    const healthy = await into(isolation.enter(false, never))
    const suspect = isolation.enter(true, never)
    const late = isolation.enter(false, never)
    healthy.leave()
    expect(await settled(late)).toBe('waiting')
    const place = await into(suspect)
    place.leave()
    place.leave()
    expect(await settled(late)).toMatchObject({ alone: false })
  })

  it('drops a suspect that stops waiting, and starts the tasks behind it', async () => {
    const isolation = createIsolation()
    const healthy = await into(isolation.enter(false, never))
    const stop = new AbortController()
    const suspect = isolation.enter(true, stop.signal)
    const late = isolation.enter(false, never)
    stop.abort()
    expect(await suspect).toBeNull()
    expect(await settled(late)).toMatchObject({ alone: false })
    expect(await isolation.enter(false, stop.signal)).toBeNull()
    healthy.leave()
  })
})
