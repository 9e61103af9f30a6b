import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { Evidence } from '@plumbline/contracts'
import type { Policy, Report, Run, StartAsk, Task, TaskKind } from '@plumbline/flow'
import { advance, evidenceFor, policies, withGrades } from '@plumbline/flow'
import { admitted, after, asking, movedBy } from '@plumbline/flow/spec/run-fixtures.spec'
import { memoryPassageIndex } from '@plumbline/ports/passage-index/memory-passage-index'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import type { WebSearch } from '@plumbline/ports/web-search'
import { offlineSkills } from '@plumbline/skills/offline'
import { indexed } from '@plumbline/testing/indexed'
import type { StageHandler } from '@plumbline/worker'
import { describe, expect, it } from 'vitest'
import { generate } from './generator/generate'
import { reply } from './generator/reply'
import { gradeAnswer } from './grader/grade-answer'
import { gradeEvidence } from './grader/grade-evidence'
import { plan } from './planner/plan'
import { research } from './researcher/research'
import { route } from './router/route'
import { catalog } from './work.spec'

const texts: Record<string, string> = {
  mars: 'Mars has a mass of 0.642 × 10^24 kg. Mars has two moons, Phobos and Deimos.',
  orbit: 'The mass of Mars is 0.642 × 10^24 kg, a tenth of the mass of Earth.',
  venus: 'Venus has a mass of 4.87 × 10^24 kg. Venus has no moons.',
  radii: '| Planet | Radius (km) |\n|---|---|\n| Mars | 3,390 |\n| Venus | 6,052 |',
  hours: 'The business hours of the observatory are 9:00 to 17:00, Monday to Friday.',
}
const filled = async (): Promise<PassageIndex> => {
  const index = memoryPassageIndex()
  for (const [id, text] of Object.entries(texts)) {
    const passage = { id, documentId: id, collection: 'planets', title: id, text, headingPath: [], position: 0 }
    const [vector] = await lexicalEmbedder.embed([text], new AbortController().signal)
    await index.write(
      'default',
      indexed(id, 'planets', lexicalEmbedder),
      [{ passage, vector: vector! }],
      new AbortController().signal,
    )
  }
  return index
}

type Handlers = { [K in Exclude<TaskKind, 'admit' | 'review'>]: StageHandler<K> }
const handlersOf = (index: PassageIndex, web?: WebSearch): Handlers => {
  const skills = offlineSkills
  return {
    route: route({ skills, catalog }),
    plan: plan({ skills, catalog }),
    research: research({ skills, index, embedder: lexicalEmbedder, reranker: null, web }),
    'grade-evidence': gradeEvidence({ skills }),
    generate: generate({ skills }),
    reply: reply({ skills, catalog }),
    'grade-answer': gradeAnswer({ skills, catalog }),
  }
}

/** Runs a question until no worker has anything to do, without queue and store. */
const play = async (policy: Policy, ask: Partial<StartAsk>): Promise<Run> => {
  const handlers = handlersOf(await filled())
  const stored = new Map<string, Evidence>()
  let { run } = after(asking(policy, { collections: ['planets'], ...ask }), admitted)
  const isWork = ({ kind }: Task): boolean => kind !== 'review'
  for (let task = run.open.find(isWork); task; task = run.open.find(isWork)) {
    const passages = evidenceFor(run, task).flatMap((id) => stored.get(id) ?? [])
    const work = {
      run,
      task,
      evidence: withGrades(run, passages),
      signal: new AbortController().signal,
      onCall: () => {},
      onDelta: () => {},
    }
    const result = await (handlers[task.kind as keyof Handlers] as StageHandler<TaskKind>)(work as never)
    const next = movedBy(
      advance(run, { taskId: task.id, kind: task.kind, at: (run.movedAt ?? 0) + 100, result } as Report),
    )
    next.evidence.forEach((passage) => stored.set(passage.id, passage))
    run = next.run
  }
  return run
}

const quoted = ({ answer }: Run): string => answer?.quotes?.map(({ text }) => text).join('\n') ?? ''

describe.each(Object.entries(policies))('%s, played by the stages without a model', (_name, policy) => {
  it('quotes the place that answers, and nothing the documents do not hold', async () => {
    const run = await play(policy, { question: 'What is the mass of Mars?' })
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.quoted' })
    expect(quoted(run)).toContain('0.642')
    expect(run.answer?.caveat).toBeUndefined()
    for (const { passageId, text } of run.answer?.quotes ?? [])
      for (const line of text.split('\n')) expect(texts[passageId]).toContain(line)
  })

  it('declines nothing and claims no absence', async () => {
    const run = await play(policy, { question: 'What is the mass of Neptune?' })
    expect(run.reason).toBe('answered.quoted')
    expect(run.answer?.text ?? '').not.toMatch(/\d/)
  })

  it('reads an exact cell out, checked', async () => {
    const run = await play(policy, { question: 'What is the radius of Venus?' })
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(run.answer?.text).toContain('6,052')
  })
})
