import { expect, it } from 'vitest'
import { oneAtATime } from './one-at-a-time'

const never = new AbortController().signal

it('works one after another, whatever became of the one before', async () => {
  const alone = oneAtATime()
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = alone(async () => {
    await gate.promise
    order.push('first')
    throw new Error('broken')
  }, never)
  const second = alone(() => Promise.resolve(void order.push('second')), never)
  gate.resolve()
  await expect(first).rejects.toThrow('broken')
  await second
  expect(order).toEqual(['first', 'second'])
})

it('does not keep waiting who was told to stop before', async () => {
  const alone = oneAtATime()
  const first = Promise.withResolvers<void>()
  void alone(() => first.promise, never)
  await expect(alone(() => Promise.resolve(), AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
})

it('lets go who is told to stop, and keeps the others in line', async () => {
  const alone = oneAtATime()
  const gate = Promise.withResolvers<void>()
  const order: string[] = []
  const first = alone(async () => {
    await gate.promise
    order.push('first')
  }, never)
  const stop = new AbortController()
  const second = alone(() => Promise.resolve(void order.push('second')), stop.signal)
  const third = alone(() => Promise.resolve(void order.push('third')), never)
  stop.abort(new Error('stop'))
  await expect(second).rejects.toThrow('stop')
  gate.resolve()
  await Promise.all([first, third])
  expect(order).toEqual(['first', 'third'])
})
