import { openBullMqJobQueue } from '@plumbline/adapters/bullmq/bullmq-job-queue'
import { connectFailFast, whenReady } from '@plumbline/adapters/redis/client/client'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import type { Claim, Evidence } from '@plumbline/contracts'
import { advance, type Moved, policyByName, type Report, type Run, start } from '@plumbline/flow'
import { openPassageIndex } from '@plumbline/hosting/passage-index'
import { onlyMethod, type PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { dispatch, moveRun } from '@plumbline/worker/move'

const runId = `r${'example'.padEnd(24, '0')}`
const question = 'How long is a day on Mars, and how many moons does it have?'
const text = 'A day on Mars lasts 24.7 hours [1]. Mars had 14 known moons in 2023 [2].'

const claimsOf = ([days, moons]: Evidence[]): Claim[] => [
  {
    text: 'A day on Mars lasts 24.7 hours.',
    kind: 'number',
    verdict: 'supported',
    reason: 'The table gives 24.7 hours as the length of day of Mars.',
    passageId: days?.id ?? null,
  },
  {
    text: 'Mars had 14 known moons in 2023.',
    kind: 'number',
    verdict: 'contradicted',
    reason: 'The table gives 2 moons for Mars in 2023, not 14.',
    passageId: moons?.id ?? null,
  },
]

type StageReport = {
  [K in Report['kind']]: Pick<Extract<Report, { kind: K }>, 'kind' | 'taskId' | 'result'>
}[Report['kind']]

const reports = (collection: string, evidence: Evidence[]): StageReport[] => [
  { kind: 'admit', taskId: 'admit', result: { outcome: 'admitted' } },
  {
    kind: 'route',
    taskId: 'route',
    result: { outcome: 'research', logic: 'About the planets.', collections: [collection], simple: true },
  },
  {
    kind: 'research',
    taskId: 'research.1.1',
    result: {
      outcome: 'found',
      source: 'index',
      queries: [question],
      passages: evidence,
      note: 'This is an example: a script wrote the draft and its check, and invented one of the figures.',
    },
  },
  {
    kind: 'grade-evidence',
    taskId: 'grade-evidence.1.1',
    result: {
      outcome: 'graded',
      overall: 'correct',
      grades: evidence.map(({ id }) => ({
        passageId: id,
        relevant: true,
        level: 'high',
        confidence: 1,
        reason: 'It names Mars.',
      })),
    },
  },
  {
    kind: 'generate',
    taskId: 'generate.1',
    result: { outcome: 'drafted', text, citations: evidence.map(({ id }, at) => ({ n: at + 1, passageId: id })) },
  },
  {
    kind: 'grade-answer',
    taskId: 'grade-answer.1',
    result: {
      outcome: 'graded',
      claims: claimsOf(evidence),
      parts: [],
      support: 'partial',
      confidence: 1,
      tooBroad: false,
    },
  },
]

const parked = (run: Run, said: StageReport[], at: number): Moved =>
  said.reduce<Moved>(
    (before, report) => {
      const next = advance(before.run, { ...report, at } as Report)
      if (next.kind === 'stale') throw new Error(`the example does not reach ${report.taskId}`)
      return {
        ...next,
        events: [...before.events, ...next.events],
        evidence: [...before.evidence, ...next.evidence],
      }
    },
    { kind: 'moved', run, events: [], evidence: [] },
  )

const evidenceOf = async (index: PassageIndex, tenant: string, collection: string): Promise<Evidence[]> => {
  const scope = { tenant, collections: [collection], filters: {}, access: 'all' as const }
  const best = async (words: string): Promise<Evidence[]> => {
    const query = { text: words, vector: null }
    const found = await index.search(scope, query, onlyMethod('bm25', { k: 1 }), AbortSignal.timeout(5_000))
    return found.map(({ passage, scores }) => ({ ...passage, scores }))
  }
  return [...(await best('Mars length of day hours axial tilt')), ...(await best('Mars known moons by year 2013 2023'))]
}

type ExampleOptions = {
  redisUrl: string
  index: Parameters<typeof openPassageIndex>[0]
  tenant: string
  lane: string
  collection: string
}

/** Adds the example of a held answer. Its id is fixed, so that a second call changes nothing. */
export const parkExample = async ({
  redisUrl,
  index: where,
  tenant,
  lane,
  collection,
}: ExampleOptions): Promise<void> => {
  const redis = connectFailFast(redisUrl)
  await whenReady(redis, 5_000)
  const store = openRedisRunStore({ redis })
  const queue = openBullMqJobQueue({ connection: redis })
  const index = await openPassageIndex(where)
  try {
    const evidence = await evidenceOf(index, tenant, collection)
    const at = await store.now()
    const standard = policyByName('standard')
    if (!standard) throw new Error('there is no policy standard')
    const policy = { ...standard, gradeEvidence: 'first' as const, maxRegenerations: 0, maxAugments: 0 }
    const ask = { id: runId, tenant, lane, question, collections: [collection], webOn: false, skills: 'a script', at }
    const asked = start(ask, policy)
    await store.schedule({ lane, runId }, at + 60_000)
    const created = await store.create(asked.run, asked.events, 'the example')
    if (created.kind !== 'created') return
    const moved = await moveRun(store, runId, (run) => parked(run, reports(collection, evidence), at))
    if (moved.kind === 'moved') await dispatch({ store, queue }, moved.before, moved.after)
  } finally {
    await index.close()
    await queue.close()
    await store.close()
    redis.disconnect()
  }
}
