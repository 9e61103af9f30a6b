import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Decision, RunView } from '@plumbline/contracts'
import { ProblemError } from '@plumbline/client'
import { allStages } from '@plumbline/stages/all'
import { generatorWriting } from './generator-writing'
import { openHouse, type House } from './house'

const invented = 'The lighthouse is 93 metres high'
const truth = 'The lighthouse of Skerry is 31 metres high'
const text = `# Skerry\n\n${truth}. It was lit for the first time in 1887.`

/** Adds a sentence that no passage supports to every draft, so that every draft is held. */
const boaster = generatorWriting(() => `${truth} [1]. ${invented} [1].`)

let house: House
beforeAll(async () => {
  house = await openHouse({ stages: Object.values({ ...allStages, generator: boaster }) })
  await house.add('Skerry', text, 'islands')
})
afterAll(() => house.close())

const taskOf = ({ review }: RunView): string => review?.taskId ?? ''
const settled = async (id: string, not = ''): Promise<RunView> => {
  for (;;) {
    const view = await house.client.run(id)
    const isHeld = view.status === 'parked' && taskOf(view) !== not
    if (isHeld || view.timings.endedAt !== undefined) return view
    await wait(20)
  }
}
const parked = async (): Promise<RunView> => {
  const { id } = await house.client.ask({ question: 'How high is the lighthouse of Skerry?', collection: 'islands' })
  const view = await settled(id)
  expect(view).toMatchObject({ status: 'parked' })
  return view
}
const decide = (
  view: RunView,
  decision: { action: Decision['action'] } & Record<string, unknown>,
  decisionId = 'first',
): Promise<RunView> => house.client.decide(view.id, { taskId: taskOf(view), decisionId, ...decision } as Decision)
describe('a draft that fails its check, over HTTP', () => {
  it('is held: the asker sees only that it waits; the desk sees the claim and the reason', async () => {
    const view = await parked()
    expect(JSON.stringify(view)).not.toContain('metres')
    expect(JSON.stringify(await house.client.runs())).not.toContain('metres')
    const review = await house.client.review(view.id)
    const bad = review.claims.filter(({ verdict }) => verdict !== 'supported')
    expect(bad.map((claim) => claim.text)).toEqual([expect.stringContaining(invented)])
    expect(bad[0]?.reason).not.toBe('')
    expect((await house.client.reviews()).items.map(({ runId }) => runId)).toContain(view.id)
  })

  it('is released as it is when a reviewer approves it, once', async () => {
    const view = await parked()
    await decide(view, { action: 'approve', note: 'The source is old.' })
    const ended = await house.client.run(view.id)
    expect(ended).toMatchObject({
      status: 'answered',
      reason: 'answered.decided',
      answer: { text: expect.stringContaining(invented) },
    })
    expect(await decide(view, { action: 'approve', note: 'The source is old.' })).toMatchObject({ status: 'answered' })
    await expect(decide(view, { action: 'reject' }, 'second')).rejects.toMatchObject({ problem: { status: 409 } })
  })

  it('is released when an edit passes its check, and held again when it does not', async () => {
    const view = await parked()
    await decide(view, { action: 'edit', text: `${invented} [1].` })
    const again = await settled(view.id, taskOf(view))
    expect(again).toMatchObject({ status: 'parked', reason: 'parked.edit-ungrounded' })
    await decide(again, { action: 'edit', text: `${truth} [1].` }, 'second')
    expect(await settled(view.id, taskOf(again))).toMatchObject({
      status: 'answered',
      reason: 'answered.edited',
      answer: { text: `${truth} [1].` },
    })
  })

  it('is written again with guidance, and held again when it still fails; an earlier draft can not be decided', async () => {
    const view = await parked()
    await decide(view, { action: 'retry', guidance: 'Say only what stands in the documents.' })
    const again = await settled(view.id, taskOf(view))
    expect(again.status).toBe('parked')
    await expect(decide(view, { action: 'approve', note: 'The source is old.' }, 'late')).rejects.toBeInstanceOf(
      ProblemError,
    )
    expect((await decide(again, { action: 'reject' }, 'second')).status).toBe('rejected')
  })

  it('goes back to research for what is missing', async () => {
    const view = await parked()
    await decide(view, { action: 'research', guidance: 'When was it lit for the first time?' })
    const again = await settled(view.id, taskOf(view))
    const tries = again.plan.steps.map((step) => step.tries)
    expect(again.status).toBe('parked')
    expect(Math.max(...tries)).toBeGreaterThan(Math.max(...view.plan.steps.map((step) => step.tries)))
  })
})
