import { expect, it } from 'vitest'
import { nextByCron } from './cron'

it('a cron line with H has the same time each day', () => {
  const day = 86_400_000
  const first = nextByCron('H 6 * * *', 'UTC', 0)
  expect(nextByCron('H 6 * * *', 'UTC', first - 1)).toBe(first)
  expect(nextByCron('H 6 * * *', 'UTC', first)).toBe(first + day)
})
