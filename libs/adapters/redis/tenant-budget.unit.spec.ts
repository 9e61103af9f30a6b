import { expect, test } from 'vitest'
import { silent } from '@plumbline/platform'
import { openTenantBudget } from './tenant-budget'

const at = Date.UTC(2026, 0, 31, 23, 59, 59)
const spender = (cents: number) => {
  const asked: string[] = []
  const ofDay = (tenant: string, day: string) => {
    asked.push(`${tenant} ${day}`)
    return Promise.resolve({ calls: 1, tokensIn: 0, tokensOut: 0, cents })
  }
  return { asked, ofDay }
}

test('a tenant has spent its day when it has spent as much as its budget, by its own or the one for all', async () => {
  const budget = openTenantBudget(spender(10), { '*': 10, acme: 11, constructor: 12 }, silent)
  expect(await budget.isSpent('globex', at)).toBe(true)
  expect(await budget.isSpent('acme', at)).toBe(false)
  expect(await budget.isSpent('constructor', at)).toBe(false)
})

test('without a budget nothing is asked', async () => {
  const spent = spender(1_000)
  expect(await openTenantBudget(spent, { acme: 1 }, silent).isSpent('globex', at)).toBe(false)
  expect(await openTenantBudget(spent, {}, silent).isSpent('toString', at)).toBe(false)
  expect(spent.asked).toEqual([])
})

test('an answer is good for a second and not for another day', async () => {
  const spent = spender(0)
  const budget = openTenantBudget(spent, { '*': 1 }, silent)
  for (const after of [0, 500, 999, 1_000]) await budget.isSpent('acme', at + after)
  expect(spent.asked).toEqual(['acme 2026-01-31', 'acme 2026-02-01'])
})

test('what cannot be looked up is not held against a tenant', async () => {
  const budget = openTenantBudget({ ofDay: () => Promise.reject(new Error('gone')) }, { '*': 1 }, silent)
  expect(await budget.isSpent('acme', at)).toBe(false)
})
