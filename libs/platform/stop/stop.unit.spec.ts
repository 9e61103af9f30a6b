import { describe, expect, it } from 'vitest'
import { createStop } from './stop'

const warned: string[] = []
const log = { warn: (...words: unknown[]) => void warned.push(String(words.at(-1))) } as never

describe('the stop', () => {
  it('closes in reverse order, once, each after the one before has closed', async () => {
    const order: string[] = []
    const stop = createStop(log)
    stop.add('first', () => void order.push('first'))
    stop.add('second', async () => {
      await new Promise((resolve) => setImmediate(resolve))
      order.push('second')
    })
    await Promise.all([stop.run(), stop.run()])
    expect(order).toEqual(['second', 'first'])
  })

  it('goes on after a step that fails or hangs, and says which', async () => {
    const order: string[] = []
    const stop = createStop(log, 20)
    stop.add('last', () => void order.push('last'))
    stop.add('the hanging one', () => new Promise(() => {}))
    stop.add('the failing one', () => Promise.reject(new Error('no')))
    await stop.run()
    expect(order).toEqual(['last'])
    expect(warned).toEqual([
      'stopping the failing one failed',
      'stopping the hanging one took more than 20 ms; going on',
    ])
  })
})
