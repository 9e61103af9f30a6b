import { describe, expect, it } from 'vitest'
import { createGate, type Place } from './gate'

const never = new AbortController().signal
const settled = async <T>(promise: Promise<T>): Promise<T | 'waiting'> =>
  Promise.race([promise, new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')))])
const into = async (promise: Promise<Place | null>): Promise<Place> => {
  const place = await promise
  if (!place) throw new Error('not let in')
  return place
}

describe('the gate', () => {
  it('lets healthy tasks run side by side', async () => {
    const gate = createGate()
    await into(gate.enter(false, never))
    expect(await settled(gate.enter(false, never))).toMatchObject({ alone: false })
  })

  it('lets a suspect run only while nothing else does', async () => {
    const gate = createGate()
    const healthy = await into(gate.enter(false, never))
    const suspect = gate.enter(true, never)
    expect(await settled(suspect)).toBe('waiting')
    healthy.leave()
    const alone = await into(suspect)
    const next = gate.enter(false, never)
    const second = gate.enter(true, never)
    expect(await settled(next)).toBe('waiting')
    alone.leave()
    const after = await into(next)
    expect(await settled(second)).toBe('waiting')
    after.leave()
    expect(await settled(second)).toMatchObject({ alone: true })
  })

  it('lets nobody overtake a waiting suspect', async () => {
    const gate = createGate()
    const healthy = await into(gate.enter(false, never))
    const suspect = gate.enter(true, never)
    const late = gate.enter(false, never)
    healthy.leave()
    expect(await settled(late)).toBe('waiting')
    const place = await into(suspect)
    place.leave()
    place.leave()
    expect(await settled(late)).toMatchObject({ alone: false })
  })

  it('lets go of who stops waiting, and lets in who waited behind', async () => {
    const gate = createGate()
    const healthy = await into(gate.enter(false, never))
    const stop = new AbortController()
    const suspect = gate.enter(true, stop.signal)
    const late = gate.enter(false, never)
    stop.abort()
    expect(await suspect).toBeNull()
    expect(await settled(late)).toMatchObject({ alone: false })
    expect(await gate.enter(false, stop.signal)).toBeNull()
    healthy.leave()
  })
})
