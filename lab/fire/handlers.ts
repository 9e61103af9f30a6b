import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Evidence } from '@plumbline/contracts'
import type { Result, Stage, TaskKind } from '@plumbline/flow'
import { AppError } from '@plumbline/platform'
import type { StageHandlers, Work } from '@plumbline/worker'

/** Instructions in the metadata of a run. The workers of the tests follow them. */
export type Orders = {
  steps?: string
  /** The duration of each model call in ms. */
  ms?: string
  /** The share of first research tries that throw, from 0 to 1. */
  failing?: string
  /** The id of the task whose handler kills its process at once. */
  poison?: string
  /** `<task>:<ms>`: this task keeps its slot for that long on its first start. */
  hold?: string
  /** `<task>:<times>`: this task is postponed that many times, after its first start. */
  postpone?: string
  /** `<task>:<ms>`: this task blocks the event loop for that long on its first start. */
  block?: string
  /** The number of characters that are streamed as a draft. */
  drafts?: string
  /** The share of claims that the check supports, from 0 to 1. */
  grounding?: string
}

export const canary = 'CANARY-7f3a'

const passageOf = (step: number, n: number): Evidence => ({
  id: `p${step}-${n}`,
  documentId: `d${step}`,
  collection: 'fire',
  title: `Document ${step}`,
  text: `${canary} what document ${step} says in its place ${n}`,
  headingPath: ['Fire'],
  position: n,
  scores: { fused: 0.03 },
})

const stepsOf = (orders: Orders): number => Number(orders.steps ?? 3)

/** The same task always gets the same number from 0 to 1. */
export const coin = (key: string): number => {
  let hash = 2_166_136_261
  for (const char of key) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619)
  return ((hash >>> 0) % 1_000) / 1_000
}

const target = (order: string | undefined, taskId: string): number => {
  const [task, ms] = (order ?? '').split(':')
  return task === taskId ? Number(ms ?? 0) : 0
}

const blockLoop = (ms: number): void => {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  Atomics.wait(cell, 0, 0, ms)
}

/** Counts the call in the witness, a Redis that no fault of the harness affects. */
const modelCall = async <K extends TaskKind>(witness: Redis, { run, task, signal }: Work<K>): Promise<Orders> => {
  const orders: Orders = run.metadata ?? {}
  const before = await witness.hincrby('calls', `${run.id}/${task.id}`, 1)
  await witness.hset('holders', `${run.id}/${task.id}`, process.pid)
  if (orders.poison === task.id) process.kill(process.pid, 'SIGKILL')
  const first = before === 1
  if (!first && before <= 1 + target(orders.postpone, task.id))
    throw new AppError('model.limited', 'later', { notBefore: Date.now() + 300 })
  if (first && target(orders.block, task.id)) {
    blockLoop(target(orders.block, task.id))
    await witness.hset('unblocked', `${run.id}/${task.id}`, process.pid)
  }
  await sleep(
    first && target(orders.hold, task.id) ? target(orders.hold, task.id) : Number(orders.ms ?? 2),
    undefined,
    { signal },
  )
  return orders
}

const draftOf = (orders: Orders, taskId: string): { sentences: string[]; result: Result<'generate'> } => {
  const sentences = Array.from({ length: stepsOf(orders) }, (_, i) => `${canary} ${taskId} case ${i + 1} [${i + 1}].`)
  const citations = sentences.map((_, i) => ({ n: i + 1, passageId: `p${i + 1}-1` }))
  return { sentences, result: { outcome: 'drafted', text: sentences.join(' '), citations } }
}

const pieceMs = 20
export const longDraft = (characters: number): string[] =>
  Array.from({ length: Math.ceil(characters / 20_000) }, (_, piece) =>
    Array.from({ length: 1_000 }, (_, word) => `${piece}.${word}`.padEnd(20, '-')).join(''),
  )

const checkOf = (orders: Orders): Result<'grade-answer'> => {
  const steps = stepsOf(orders)
  const supported = Math.round(steps * Number(orders.grounding ?? 1))
  const claims = Array.from({ length: steps }, (_, i) => ({
    text: `${canary} claim ${i + 1}`,
    kind: 'fact' as const,
    verdict: i < supported ? ('supported' as const) : ('unsupported' as const),
    reason: `${canary} as asked`,
    passageId: `p${i + 1}-1`,
  }))
  const support = supported === steps ? 'full' : supported === 0 ? 'none' : 'partial'
  const parts = claims.map((_, i) => ({ what: `case ${i + 1}`, outcome: 'answered' as const }))
  return { outcome: 'graded', claims, parts, support, usefulness: 5, confidence: 1, tooBroad: false }
}

export const fireHandlers = (witness: Redis): StageHandlers<Stage> => ({
  route: async (work) => {
    await modelCall(witness, work)
    return { outcome: 'research', logic: 'the harness asks for research', collections: work.run.collections }
  },
  plan: async (work) => {
    const orders = await modelCall(witness, work)
    const steps = Array.from({ length: stepsOf(orders) }, (_, i) => ({ question: `case ${i + 1}`, waitsFor: null }))
    return { outcome: 'planned', logic: 'as many steps as asked', steps }
  },
  research: async (work) => {
    const orders = await modelCall(witness, work)
    const { step } = work.task
    const calls = Number(await witness.hget('calls', `${work.run.id}/${work.task.id}`))
    if (calls === 1 && coin(`${work.run.id}/${step}`) < Number(orders.failing ?? 0))
      throw new Error('this try was asked to fail')
    return {
      outcome: 'found',
      queries: [`case ${step}`],
      source: 'index',
      passages: [passageOf(step, 1), passageOf(step, 2)],
    }
  },
  'grade-evidence': async (work) => {
    await modelCall(witness, work)
    const grades = work.task.passageIds.map((passageId) => ({
      passageId,
      relevant: true,
      level: 'high' as const,
      confidence: 1,
      reason: 'as asked',
    }))
    return { outcome: 'graded', grades, overall: 'correct' }
  },
  generate: async (work) => {
    const orders = await modelCall(witness, work)
    const { sentences, result } = draftOf(orders, work.task.id)
    for (const sentence of sentences) work.onDelta(sentence)
    for (const piece of longDraft(Number(orders.drafts ?? 0))) {
      work.onDelta(piece)
      await sleep(pieceMs, undefined, { signal: work.signal })
    }
    return result
  },
  reply: async (work) => {
    await modelCall(witness, work)
    return { outcome: 'replied', text: 'a reply' }
  },
  'grade-answer': async (work) => checkOf(await modelCall(witness, work)),
})
