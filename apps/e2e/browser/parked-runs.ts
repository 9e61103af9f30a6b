import { connectFailFast, whenReady } from '@plumbline/adapters/redis/client/client'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import type { Claim, Evidence } from '@plumbline/contracts'
import { advance, type Moved, type Policy, policyByName, type Report, type Run, start } from '@plumbline/flow'
import type { RunStore } from '@plumbline/ports/run-store/run-store'

type StageReport = {
  [K in Report['kind']]: Pick<Extract<Report, { kind: K }>, 'kind' | 'taskId' | 'result'>
}[Report['kind']]

export const firstClaim = 'Unused vacation carries over to the next year.'
export const wrongClaim = 'The bank can hold at most 30 days of vacation.'
const texts = [
  'We offer 20 days of vacation every year. Your vacation rolls over year to year, and the bank can hold at most 27 days at any time.',
  'Managers plan vacation with their teams. Nobody is paid for days that were not used.',
]
const evidence: Evidence[] = texts.map((text, n) => ({
  id: `passage-${n + 1}`,
  documentId: 'benefits',
  collection: 'handbook',
  title: 'Benefits',
  text,
  headingPath: ['Time off', 'Vacation'],
  position: n,
  scores: { bm25: 8.2, fused: 0.03 },
}))

const claims: Claim[] = [
  { text: firstClaim, kind: 'fact', verdict: 'supported', reason: 'The passage says so.', passageId: 'passage-1' },
  {
    text: wrongClaim,
    kind: 'number',
    verdict: 'contradicted',
    reason: 'The passage says 27 days.',
    passageId: 'passage-1',
  },
  { text: 'Managers can grant exceptions.', kind: 'fact', verdict: 'unsupported', reason: '', passageId: null },
]
const draft = `${firstClaim.slice(0, -1)} [1]. ${wrongClaim.slice(0, -1)} [1]. Managers can grant exceptions [2].`
const questions = ['Does unused vacation carry over?', 'How many days can the bank hold?']

const graded = (step: number): StageReport => ({
  kind: 'grade-evidence',
  taskId: `grade-evidence.${step}.1`,
  result: {
    outcome: 'graded',
    overall: 'correct',
    grades: evidence.map(({ id }) => ({ passageId: id, relevant: true, level: 'high', confidence: 1, reason: '' })),
  },
})
const found = (step: number): StageReport => ({
  kind: 'research',
  taskId: `research.${step}.1`,
  result: { outcome: 'found', source: 'index', queries: [questions[step - 1] ?? ''], passages: evidence },
})

const reports: [tookMs: number, StageReport][] = [
  [0, { kind: 'admit', taskId: 'admit', result: { outcome: 'admitted' } }],
  [
    400,
    { kind: 'route', taskId: 'route', result: { outcome: 'research', logic: 'Vacation.', collections: ['handbook'] } },
  ],
  [
    700,
    {
      kind: 'plan',
      taskId: 'plan',
      result: {
        outcome: 'planned',
        logic: 'Two things are asked.',
        steps: questions.map((question) => ({ question, waitsFor: null })),
      },
    },
  ],
  [900, found(1)],
  [300, found(2)],
  [400, graded(1)],
  [200, graded(2)],
  [
    1_800,
    {
      kind: 'generate',
      taskId: 'generate.1',
      result: {
        outcome: 'drafted',
        text: draft,
        citations: evidence.map(({ id }, n) => ({ n: n + 1, passageId: id })),
      },
    },
  ],
  [
    900,
    {
      kind: 'grade-answer',
      taskId: 'grade-answer.1',
      result: {
        outcome: 'graded',
        claims,
        parts: [{ what: 'exceptions', outcome: 'missed' }],
        support: 'partial',
        usefulness: 4,
        confidence: 0.9,
        tooBroad: false,
      },
    },
  ],
]

const withoutContradiction = ([tookMs, report]: [number, StageReport]): [number, StageReport] => {
  if (report.kind !== 'grade-answer') return [tookMs, report]
  const claims = report.result.claims.map((claim) => ({
    ...claim,
    ...(claim.verdict === 'contradicted' && { verdict: 'unsupported' as const }),
  }))
  return [tookMs, { ...report, result: { ...report.result, claims } }]
}

const parked = (run: Run, askedAt: number, isContradicted: boolean): Moved => {
  let at = askedAt
  const all = isContradicted ? reports : reports.map(withoutContradiction)
  return all.reduce<Moved>(
    (before, [tookMs, report]) => {
      const next = advance(before.run, { ...report, at: (at += tookMs) } as Report)
      if (next.kind === 'stale') throw new Error(`the task ${report.taskId} is not open`)
      return {
        ...next,
        events: [...before.events, ...next.events],
        evidence: [...before.evidence, ...next.evidence],
      }
    },
    { kind: 'moved', run, events: [], evidence: [] },
  )
}

type Parking = { policy: Policy; at: number; isContradicted: boolean }
const park = async (store: RunStore, n: number, { policy, at, isContradicted }: Parking): Promise<string> => {
  const id = `r${`${n}`.padStart(24, '0')}`
  const question = `Does unused vacation carry over, and how much of it? (${n + 1})`
  const ask = { id, tenant: 'acme', lane: 'main', question, collections: ['handbook'], webOn: false, at }
  const asked = start(ask, policy)
  await store.create(asked.run, asked.events, id)
  const loaded = await store.load(id)
  if (!loaded) throw new Error(`the run ${id} does not exist`)
  const { run, events, evidence } = parked(asked.run, at, isContradicted)
  const { kind } = await store.commit({ run, version: loaded.version, by: null, events, evidence })
  if (kind !== 'moved' || run.status !== 'parked') throw new Error(`the run ${id} is ${run.status}, its commit ${kind}`)
  return id
}

const withStore = async <T>(redisUrl: string, use: (store: RunStore) => Promise<T>): Promise<T> => {
  const redis = connectFailFast(redisUrl)
  await whenReady(redis, 5_000)
  const store = openRedisRunStore({ redis })
  try {
    return await use(store)
  } finally {
    await store.close()
    redis.disconnect()
  }
}

/** Creates `count` runs that wait for review. The first one has the earliest deadline. */
export const parkMany = (redisUrl: string, count: number, isContradicted = true): Promise<string[]> =>
  withStore(redisUrl, async (store) => {
    const standard = policyByName('standard')
    if (!standard) throw new Error('the policy standard does not exist')
    const policy = { ...standard, gradeEvidence: 'first' as const, maxRegenerations: 0, maxAugments: 0 }
    const since = (await store.now()) - count * 1_000 - 60_000
    const places = Array.from({ length: count }, (_, n) => n)
    const ids: string[] = []
    for (let from = 0; from < count; from += 100) {
      const together = places.slice(from, from + 100)
      ids.push(
        ...(await Promise.all(together.map((n) => park(store, n, { policy, at: since + n * 1_000, isContradicted })))),
      )
    }
    return ids
  })

const firstPart = `${firstClaim.slice(0, -1)} [1].`

/** Changes a held run, as if its asker had read `text` before new evidence contradicted this text. */
export const showPart = (redisUrl: string, runId: string, text = firstPart): Promise<void> =>
  withStore(redisUrl, async (store) => {
    const loaded = await store.load(runId)
    if (!loaded) throw new Error(`the run ${runId} does not exist`)
    const { run, version } = loaded
    const citations = [{ n: 1, passageId: 'passage-1' }]
    const shown = {
      text,
      citations,
      claims: claims.slice(0, 1),
      numbers: ['passage-1'],
      checkKey: 'key',
      doubted: true,
    }
    const event = { audience: 'asker', at: await store.now() } as const
    const events = [
      { ...event, type: 'checked', draft: 1, from: 0, text, citations } as const,
      { ...event, type: 'doubted' } as const,
    ]
    const doubted: Run = { ...run, reason: 'parked.doubted', shown }
    const { kind } = await store.commit({ run: doubted, version, by: null, events, evidence: [] })
    if (kind !== 'moved') throw new Error(`the commit of the run ${runId} is ${kind}`)
  })

export const decisionsOf = (redisUrl: string, runIds: string[]) =>
  withStore(redisUrl, async (store) => {
    const ledgers = await Promise.all(runIds.map((id) => store.ledger(id, null, 500)))
    return ledgers.map((entries) => entries.flatMap(({ event }) => (event.type === 'decided' ? [event] : [])))
  })
