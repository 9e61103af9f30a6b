import { randomBytes } from 'node:crypto'
import type { Evidence } from '@plumbline/contracts'
import { advance, policies, start, type Report, type Run, type Task } from '@plumbline/flow'
import type { RunStore } from '@plumbline/ports/run-store/run-store'

const steps = 3
const passagesPerStep = 4
const passage = (step: number, n: number): Evidence => ({
  id: `p${step}-${n}`,
  documentId: `d${step}`,
  collection: 'bench',
  title: `Document ${step}`,
  text: randomBytes(400).toString('hex'),
  headingPath: ['Chapter', `Section ${n}`],
  position: n,
  scores: { similarity: 0.71, bm25: 8.2, fused: 0.031, rerank: 0.66 },
})
const sentence = (n: number): string =>
  `The energy that enters the building is read at the main switch board in case ${n}`

const resultOf = (task: Task): Report['result'] => {
  const eachStep = Array.from({ length: steps }, (_, i) => i + 1)
  const citations = eachStep.map((n) => ({ n, passageId: `p${n}-0` }))
  switch (task.kind) {
    case 'admit':
      return { outcome: 'admitted' }
    case 'route':
      return { outcome: 'research', logic: 'the collection covers it', collections: ['bench'] }
    case 'plan':
      return {
        outcome: 'planned',
        logic: 'three cases',
        steps: eachStep.map((n) => ({ question: `Case ${n}?`, waitsFor: null })),
      }
    case 'research':
      return {
        outcome: 'found',
        source: 'index',
        queries: ['one', 'two', 'three'].map((q) => `query ${q} of step ${task.step}`),
        passages: Array.from({ length: passagesPerStep }, (_, n) => passage(task.step, n)),
      }
    case 'grade-evidence':
      return {
        outcome: 'graded',
        overall: 'correct',
        grades: task.passageIds.map((passageId) => ({
          passageId,
          relevant: true,
          level: 'high',
          confidence: 0.9,
          reason: 'names what the step asks for',
        })),
      }
    case 'generate':
      return { outcome: 'drafted', text: eachStep.map((n) => `${sentence(n)} [${n}].`).join(' '), citations }
    case 'grade-answer':
      return {
        outcome: 'graded',
        support: 'full',
        usefulness: 5,
        confidence: 0.95,
        tooBroad: false,
        claims: citations.map(({ n, passageId }) => ({
          text: sentence(n),
          kind: 'fact',
          verdict: 'supported',
          reason: 'stands in the cited passage',
          passageId,
        })),
        parts: eachStep.map((n) => ({ what: `case ${n}`, outcome: 'answered' })),
      }
    case 'reply':
    case 'review':
      throw new Error(`this run has no ${task.kind}`)
  }
}

const reportOf = (task: Task, at: number): Report =>
  ({ kind: task.kind, taskId: task.id, at, result: resultOf(task) }) as Report

const askOne = (id: string, at: number) => {
  const { standard } = policies
  if (!standard) throw new Error('no standard policy')
  return start(
    {
      id,
      tenant: 'bench',
      lane: 'main',
      question: 'How is the energy read in three cases?',
      collections: ['bench'],
      webOn: false,
      at,
    },
    { ...standard, gradeEvidence: 'first' },
  )
}

export const wholeRun = async (store: RunStore, id: string): Promise<{ run: Run; tasks: number }> => {
  const at = Date.now()
  const asked = askOne(id, at)
  await store.schedule({ lane: 'main', runId: id }, at + 30_000)
  await store.create(asked.run, asked.events, id)
  const work = async (task: Task): Promise<Task[]> => {
    const fence = randomBytes(16).toString('hex')
    const begun = await store.begin(id, task.id, fence, { isolated: false })
    if (begun.kind !== 'open') throw new Error(`${task.id} is ${begun.kind}`)
    let { run, version } = begun
    for (;;) {
      const moved = advance(run, reportOf(task, begun.now))
      if (moved.kind === 'stale') throw new Error(`${task.id} is stale`)
      const { kind } = await store.commit({ ...moved, version, by: { taskId: task.id, fence } })
      const before = run
      if (kind === 'moved')
        return moved.run.open.filter((opened) => !before.open.some((known) => known.id === opened.id))
      if (kind !== 'raced') throw new Error(`${task.id} is ${kind}`)
      const loaded = await store.load(id)
      if (!loaded) throw new Error(`${id} is gone`)
      ;({ run, version } = loaded)
    }
  }
  let tasks = 0
  const follow = async (open: Task[]): Promise<void> => {
    tasks += open.length
    await Promise.all(open.map(async (task) => follow(await work(task))))
  }
  await follow(asked.run.open)
  const ended = await store.load(id)
  if (!ended?.run.endedAt) throw new Error(`${id} did not end`)
  await store.unschedule({ lane: 'main', runId: id })
  return { run: ended.run, tasks }
}
