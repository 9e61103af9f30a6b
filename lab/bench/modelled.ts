import type { Client } from '@plumbline/client'
import type { LedgerEvent, RunView } from '@plumbline/contracts'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import type { RecordedRequest } from '@plumbline/testing/model-server/receive'
import {
  addLighthouses,
  answerAsModelsDo,
  places,
  policy,
  question,
  questionInPrompt,
  questionOf,
  scriptLighthouses,
} from './lighthouses'
import { openSystem } from './system'
import { median } from './table'

const openModelled = async (redisUrl: string) => {
  const model = await startModelServer({ validate: false })
  scriptLighthouses(model)
  const system = await openSystem({ redisUrl, model, policies: [policy] })
  const close = async (): Promise<void> => {
    await system.close()
    await model.close()
  }
  return { client: system.client, model, close }
}

const lasted = ({ receivedAt, finishedAt = receivedAt }: RecordedRequest): number => finishedAt - receivedAt
const longest = (requests: readonly RecordedRequest[]): number => Math.max(0, ...requests.map(lasted))

/** The minimum duration of a run is the sum of its sequential model calls. */
const criticalPath = (requests: readonly RecordedRequest[]): number => {
  const named = (name: string | undefined, of?: string) =>
    requests.filter((request) => request.name === name && (of === undefined || questionInPrompt(request) === of))
  const steps = places.map((place) => longest(named('grade-evidence', questionOf(place))))
  const inSequence = [named('route'), named('plan'), named(undefined), named('check')]
  return inSequence.reduce((sum, each) => sum + longest(each), 0) + Math.max(...steps)
}

type Grading = { passages: number; wall: number; slowest: number }
const gradings = (events: LedgerEvent[], requests: readonly RecordedRequest[]): Grading[] =>
  events.flatMap((event) => {
    if (event.type !== 'evidence-graded') return []
    const found = events.find((other) => other.type === 'researched' && other.step === event.step)
    const calls = requests.filter(
      (request) =>
        request.name === 'grade-evidence' && questionInPrompt(request) === questionOf(places[event.step - 1] ?? ''),
    )
    return [{ passages: event.grades.length, wall: event.at - (found?.at ?? event.at), slowest: longest(calls) }]
  })

const ledgerOf = async (client: Client, id: string): Promise<LedgerEvent[]> => {
  const events: LedgerEvent[] = []
  for await (const event of client.events(id, { audience: 'desk' }))
    if (event.type !== 'ended' && event.type !== 'draft' && event.type !== 'gap') events.push(event)
  return events
}

type One = { wall: number; path: number; calls: number; gradings: Grading[] }
const runOne = async (client: Client, model: ModelServer): Promise<One> => {
  const before = model.requests.length
  const from = performance.now()
  const run: RunView = await client.ask({ question, collection: 'lights', policy: 'bench' }, { waitSeconds: 60 })
  const wall = performance.now() - from
  const requests = model.requests.slice(before)
  if (run.reason !== 'answered.checked' || run.plan?.steps.length !== places.length)
    throw new Error(`a run of four steps ended as ${run.reason}`)
  return {
    wall,
    path: criticalPath(requests),
    calls: requests.length,
    gradings: gradings(await ledgerOf(client, run.id), requests),
  }
}

export type Modelled = {
  calls: number
  overPath: number
  gradingOverOne: number
  passages: number
  wall: number
  path: number
}

export const runModelled = async (redisUrl: string, count: number): Promise<Modelled> => {
  const { client, model, close } = await openModelled(redisUrl)
  try {
    await addLighthouses(client)
    await runOne(client, model)
    answerAsModelsDo(model)
    const runs: One[] = []
    for (let n = 0; n < count; n++) runs.push(await runOne(client, model))
    const graded = runs.flatMap((run) => run.gradings)
    const [wall, path] = [median(runs.map((run) => run.wall)), median(runs.map((run) => run.path))]
    return {
      calls: median(runs.map((run) => run.calls)),
      wall,
      path,
      overPath: wall / path,
      gradingOverOne: median(graded.map((each) => each.wall / each.slowest)),
      passages: median(graded.map(({ passages }) => passages)),
    }
  } finally {
    await close()
  }
}
