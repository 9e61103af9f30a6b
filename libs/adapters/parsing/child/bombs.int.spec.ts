import { describe, expect, it } from 'vitest'
import { throwBombs } from './spec/throw-bombs'

describe('bombs', () => {
  // How soon by the clock is for the row of the fire suite to say: here other specs run beside it.
  it('are refused without harm to this process, while other files are read', async () => {
    const { bombs, burdens, grownMb, others } = await throwBombs()
    expect(bombs.filter(({ refused }) => !refused)).toEqual([])
    expect(burdens.filter(({ refused, ended }) => !refused && !ended.startsWith('read '))).toEqual([])
    expect(bombs.length).toBeGreaterThanOrEqual(15)
    expect(grownMb).toBeLessThan(150)
    expect(others).toMatchObject({ failed: 0 })
    expect(others.read).toBeGreaterThan(10)
  }, 600_000)
})
