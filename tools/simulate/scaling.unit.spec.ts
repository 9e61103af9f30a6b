import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asked, openAutoscaler } from './autoscaler'
import { docs, pages } from './pages'
import { burstAt, oldestAfterTwoPolls, play, scaler, scenarios, signalsFor, tooFew, waitListOnly } from './scenarios'
import { readServiceTimes, timeAt } from './service-times'

const boundSeconds = 60

describe('workers scaled by what the scaler tells', () => {
  it.each(Object.values(scenarios))('keep the oldest within a minute of a burst: $name', (scenario) => {
    const samples = play(scenario, scaler)
    expect(samples.some(({ at, waiting }) => at === burstAt && waiting >= scenario.burst / 2)).toBe(true)
    expect(oldestAfterTwoPolls(samples)).toBeLessThanOrEqual(boundSeconds)
    const last = samples.at(-1)?.at
    expect(samples.filter(({ at, waiting }) => at === last && waiting > 0)).toEqual([])
  })

  it.each(Object.values(scenarios))('are never fewer than what is under way needs: $name', (scenario) => {
    expect(tooFew(play(scenario, scaler))).toEqual([])
  })

  it.each(Object.values(scenarios))('would be too few by a signal that sees no jobs with turns: $name', (scenario) => {
    expect(oldestAfterTwoPolls(play(scenario, waitListOnly))).toBeGreaterThan(boundSeconds)
  })

  it('would be fewer by a signal that leaves out what is under way', () => {
    const alone = signalsFor(scenarios.asks).find(({ name }) => name.startsWith('what waits, without'))
    if (!alone) throw new Error('no such signal')
    expect(tooFew(play(scenarios.asks, alone)).length).toBeGreaterThan(0)
  })

  it('would be too few by their processor, when models are slow', () => {
    const processor = signalsFor(scenarios.slow).find(({ name }) => name.startsWith('processor'))
    if (!processor) throw new Error('no such signal')
    expect(oldestAfterTwoPolls(play(scenarios.slow, processor))).toBeGreaterThan(boundSeconds)
  })
})

describe('the autoscaler', () => {
  it('requests enough pods for their targets, and ignores small differences', () => {
    expect([asked(0, 16, 3), asked(1, 16, 1), asked(33, 16, 2), asked(34, 16, 2), asked(160, 16, 1)]).toEqual([
      0, 1, 2, 2, 10,
    ])
    expect(asked(36, 16, 2)).toBe(3)
  })

  it('grows as fast as its policies allow, at once, and shrinks by the most that was asked for in its window', () => {
    const scale = openAutoscaler({
      min: 1,
      max: 20,
      pollSeconds: 5,
      scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 300, periodSeconds: 15 }] },
      scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: 'Percent', value: 50, periodSeconds: 30 }] },
    })
    let pods = 1
    const next = (at: number, wished: number): number => (pods = scale(at, pods, wished))
    expect([next(15, 30), next(30, 30), next(45, 2), next(60, 2), next(75, 2), next(90, 2)]).toEqual([
      4, 16, 16, 16, 16, 8,
    ])
    expect([next(105, 2), next(120, 0), next(135, 0), next(150, 0), next(165, 0), next(180, 0)]).toEqual([
      8, 4, 4, 2, 2, 1,
    ])
  })
})

it('times are read from the histograms of several workers, as near as their buckets tell', () => {
  const of = (le: string, count: number): string =>
    `plumbline_task_seconds_bucket{le="${le}",stage="grader",task="grade-answer"} ${count}\n`
  const worker = of('1', 10) + of('2', 30) + of('+Inf', 40)
  const buckets = readServiceTimes(worker + worker).get('grade-answer') ?? []
  expect([0, 0.25, 0.5, 0.75, 1].map((share) => timeAt(buckets, share))).toEqual([0, 1, 1.5, 2, 2])
})

it('docs/scaling.md and its figures match the simulation; update them with `npm run simulate`', async () => {
  for (const [name, text] of Object.entries(pages())) await expect(text).toMatchFileSnapshot(join(docs, name))
})
