import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SkillName } from '@plumbline/flow'
import type { StageHandler } from '@plumbline/worker'
import { openBench, until } from './spec/bench'

let bench: Awaited<ReturnType<typeof openBench>>
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const withModel = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_API_KEY: 'a-key' }

/** Asks five questions, waits until `expected` tasks run, ends them, and returns the most tasks that ran at once. */
const mostAtOnce = async (
  expected: number,
  skills: readonly SkillName[],
  env: Record<string, string>,
): Promise<number> => {
  const gate = Promise.withResolvers<void>()
  let [running, most] = [0, 0]
  const route: StageHandler<'route'> = async ({ run }) => {
    running += 1
    most = Math.max(most, running)
    await gate.promise
    running -= 1
    return { outcome: 'research', logic: 'plain', collections: run.collections }
  }
  await bench.host({ handlers: { route }, skills, env })
  const ids = await Promise.all(Array.from({ length: 5 }, () => bench.ask()))
  await until(async () => {
    const { active, waiting } = await bench.queue.depth('main', 'router')
    expect([running, active, waiting]).toEqual([expected, expected, 5 - expected])
  })
  gate.resolve()
  await Promise.all(ids.map((id) => bench.ended(id)))
  return most
}

it('a stage whose skills ask no model works on one task at a time, whatever CONCURRENCY says', async () => {
  expect(await mostAtOnce(1, ['route'], { CONCURRENCY: '5' })).toBe(1)
})

it('a stage with a model works on several at once, and so does one that has no skills', async () => {
  expect(await mostAtOnce(5, ['route'], withModel)).toBe(5)
})

it('one skill that asks a model is enough', async () => {
  expect(await mostAtOnce(5, ['route', 'plan'], { ...withModel, SKILL_MODELS: 'plan=offline' })).toBe(5)
})
