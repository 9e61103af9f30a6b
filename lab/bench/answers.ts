import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectFailFast } from '@plumbline/adapters/redis/client/client'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import type { Client } from '@plumbline/client'
import type { Evidence } from '@plumbline/contracts'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import type { RecordedRequest } from '@plumbline/testing/model-server/receive'
import { evalFolder, playerOf, rows, type Row } from '@plumbline/testing/scripted-model/good-model'
import { models, plainCall, scriptContenders, startGraph, type Timed } from './answers-contenders'
import { callsOf, printAnswers, printCalls, rowOf, type AnswerMeasure } from './answers-table'
import { whenIndexed } from './lighthouses'
import { openSystem } from './system'

/** Question ids by kind. A good model's route, answer and check are recorded for each question. */
const asked: Record<string, string[]> = {
  fact: [
    'dog',
    'exit-locked',
    'pump-and-wall',
    'tank-full',
    'withdrawn',
    'second-job',
    'hens',
    'plot-outside',
    'hexley-co2',
  ],
  list: [
    'home-working',
    'heat',
    'yard-clothes',
    'push-options',
    'version-2-4',
    'turned-away',
    'by-2030',
    'site-closed',
  ],
  table: ['holiday', 'parts-under-20', 'error-codes', 'float', 'aldersike', 'suppliers-germany', 'hauptstelle'],
  'two-step': ['hotel-and-dinner', 'filter-and-pump', 'most-gas', 'pay-day'],
  absence: ['restore-one-file', 'tarnside-water'],
}

type SpeedOptions = Record<'first-token-ms' | 'small-tokens-per-second' | 'strong-tokens-per-second', string>
const numberOf = (speed: SpeedOptions, name: keyof SpeedOptions): number => {
  const given = Number(speed[name])
  if (!Number.isFinite(given) || given <= 0) throw new Error(`--${name} is a number above 0.`)
  return given
}

/** The number of documents that LangGraph's example graphs read per question. */
const documentsOfGraphs = 4

const furnish = async (client: Client): Promise<void> => {
  const docs = join(evalFolder, 'docs')
  const collections = readdirSync(docs, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of collections)
    for (const file of readdirSync(join(docs, name))) {
      const blob = new Blob([readFileSync(join(docs, name, file))])
      await whenIndexed(client, (await client.uploadDocument(blob, file, { collection: name })).id)
    }
}

const contenders = ['plumbline', 'plain', 'corrective', 'adaptive'] as const
type ContenderName = (typeof contenders)[number]
type Contender = (row: Row, evidence: Evidence[]) => Promise<Timed>
type Question = { kind: string; row: Row; evidence: Promise<Evidence[]>; found: (evidence: Evidence[]) => void }

const measure = async (
  model: ModelServer,
  who: ContenderName,
  { kind, row, evidence }: Question,
  contender: Contender,
): Promise<AnswerMeasure> => {
  const read = who === 'plumbline' ? [] : await evidence
  const before = model.requests.length
  const timed = await contender(row, read)
  const calls = model.requests.slice(before).filter((request) => request.kind === 'chat')
  return { who, kind, id: row.id, simple: row.route.simple, ...timed, calls: calls.map(callOf) }
}
const callOf = (request: RecordedRequest): AnswerMeasure['calls'][number] => ({
  name: request.name ?? 'text',
  ms: (request.finishedAt ?? request.receivedAt) - request.receivedAt,
  tokensIn: request.usage?.prompt ?? 0,
  tokensOut: request.usage?.completion ?? 0,
  request,
})

const openStore = (redisUrl: string) => {
  const connection = connectFailFast(redisUrl)
  const store = openRedisRunStore({ redis: connection })
  const found = async (id: string): Promise<Evidence[]> => {
    const loaded = await store.load(id)
    const ids = loaded?.run.steps.flatMap(({ evidence }) => evidence.map((row) => row.id)) ?? []
    return store.evidence(id, [...new Set(ids)])
  }
  const close = async (): Promise<void> => {
    await store.close()
    connection.disconnect()
  }
  return { found, close }
}

const questionsOf = (form: 'short' | 'full'): Question[] =>
  Object.entries(asked).flatMap(([kind, ids]) =>
    ids.slice(0, form === 'short' ? 1 : undefined).map((id): Question => {
      const row = rows.find((one) => one.id === id)
      if (!row) throw new Error(`There is no recorded answer ${id}.`)
      const { promise: evidence, resolve: found } = Promise.withResolvers<Evidence[]>()
      return { kind, row, evidence, found }
    }),
  )

/** The other programs wait for Plumbline's evidence, because all must read the same passages. */
const measureAll = async (
  models: Record<ContenderName, ModelServer>,
  redisUrl: string,
  questions: Question[],
): Promise<AnswerMeasure[]> => {
  const system = await openSystem({ redisUrl, model: models.plumbline, env: { CACHE: 'off' } })
  const store = openStore(redisUrl)
  const corrective = startGraph(models.corrective, 'corrective')
  const adaptive = startGraph(models.adaptive, 'adaptive')
  const { client } = system
  const plumbline: Contender = async ({ id: name, question, collection, reason }) => {
    const from = performance.now()
    const { id } = await client.ask({ question, collection })
    let first: number | undefined
    for await (const { type } of client.events(id)) {
      if (type === 'checked') first ??= performance.now() - from
      if (type === 'ended' || type === 'parked') break
    }
    const whole = performance.now() - from
    const run = await client.run(id)
    if (run.reason !== reason) throw new Error(`${name} ended as ${run.reason}, not as ${reason}.`)
    questions.find(({ row }) => row.id === name)?.found(await store.found(id))
    return { first: first ?? whole, whole }
  }
  const retrieve =
    ({ question, collection }: Row, evidence: Evidence[]) =>
    () =>
      client.search({ query: question, collection, limit: Math.max(1, evidence.length) })
  const few = (evidence: Evidence[]): Evidence[] => evidence.slice(0, documentsOfGraphs)
  const asks: Record<ContenderName, Contender> = {
    plumbline,
    plain: (row, evidence) => plainCall(models.plain, retrieve(row, evidence), row.question, evidence),
    corrective: (row, evidence) => corrective.ask(retrieve(row, evidence), row.question, few(evidence)),
    adaptive: (row, evidence) => adaptive.ask(retrieve(row, evidence), row.question, few(evidence)),
  }
  const inTurn = async (who: ContenderName): Promise<AnswerMeasure[]> => {
    const done: AnswerMeasure[] = []
    for (const question of questions) done.push(await measure(models[who], who, question, asks[who]))
    return done
  }
  try {
    await furnish(client)
    return (await Promise.all(contenders.map(inTurn))).flat()
  } finally {
    await Promise.all([corrective.close(), adaptive.close()])
    await store.close()
    await system.close()
  }
}

type Speed = { firstTokenMs: number; small: number; strong: number }
const startModels = async ({ firstTokenMs, ...speed }: Speed): Promise<Record<ContenderName, ModelServer>> => {
  const started = await Promise.all(
    contenders.map(async (who) => {
      const model = await startModelServer({ validate: false })
      for (const tier of ['small', 'strong'] as const)
        model.pace({ firstTokenMs, tokensPerSecond: speed[tier] }, { kind: 'chat', model: models[tier] })
      model.script({ kind: 'chat' }, playerOf({ draftOf: ({ answer }) => answer, stands: () => () => true }))
      scriptContenders(model)
      return [who, model] as const
    }),
  )
  return Object.fromEntries(started) as Record<ContenderName, ModelServer>
}

export const benchAnswers = async (redisUrl: string, form: 'short' | 'full', speed: SpeedOptions): Promise<void> => {
  const pace = {
    firstTokenMs: numberOf(speed, 'first-token-ms'),
    small: numberOf(speed, 'small-tokens-per-second'),
    strong: numberOf(speed, 'strong-tokens-per-second'),
  }
  const servers = await startModels(pace)
  try {
    const all = await measureAll(servers, redisUrl, questionsOf(form))
    const table = contenders.map((who) => rowOf(who, all))
    printAnswers(pace, table)
    printCalls(callsOf('plumbline', all))
    mkdirSync('.data', { recursive: true })
    const each = all.map(({ calls, ...one }) => ({ ...one, calls: calls.map(({ request: _, ...call }) => call) }))
    writeFileSync('.data/bench-answers.json', JSON.stringify({ form, pace, table, each }, null, 2))
    console.log('\nFigures of each question and call: .data/bench-answers.json')
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.close()))
  }
}
