import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Decision, RunView, StreamEvent } from '@plumbline/contracts'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { openHouse, type House } from '../house'
import { openWebPages, type WebPage, type WebPages } from '../web-pages'
import { askInTerminal, buildTerminal } from './terminal'
import { outlineOf, transcriptOf, type PlayedRun } from './transcript'
import { pageWith } from './page'
import { writtenModel, type ScriptedTurn } from './written-model'

type Setting = {
  policy: string
  /** `documents` maps titles to texts. A question goes to the first collection, unless its turn names another one. */
  collections: Record<string, { description: string; documents: Record<string, string> }>
  pagesFor?: (query: string) => WebPage[]
}

type Setup = Setting & { house: House; server: ModelServer; web: WebPages; dataDir: string }

const eventsOf = async ({ house }: Setup, id: string): Promise<StreamEvent[]> => {
  const events: StreamEvent[] = []
  for (let after: string | undefined; ;) {
    const { items, ended } = await house.client.ledger(id, { audience: 'desk', ...(after && { after }) })
    events.push(...items.map(({ event }) => event))
    after = items.at(-1)?.id
    if (ended || items.length === 0) return events
  }
}
const playedRun = async (setup: Setup, id: string): Promise<PlayedRun> => ({
  run: await setup.house.client.run(id, { audience: 'desk' }),
  events: await eventsOf(setup, id),
})

const settled = async ({ house }: Setup, id: string, heldBefore = 0): Promise<void> => {
  let held = 0
  for await (const { type } of house.client.events(id)) {
    if (type === 'parked') held += 1
    if (type === 'ended' || held > heldBefore) return
  }
}

const collectionOf = ({ collections }: Setup, [turn]: ScriptedTurn[]): string =>
  turn?.collection ?? Object.keys(collections)[0] ?? expect.fail('The setting has no collection.')

const overHttp = async (setup: Setup, turns: ScriptedTurn[]): Promise<PlayedRun[]> => {
  const { policy, house } = setup
  const threadId = randomUUID()
  const collection = collectionOf(setup, turns)
  const played: PlayedRun[] = []
  for (const { question } of turns) {
    const { id } = await house.client.ask({ question, policy, collection, threadId })
    await settled(setup, id)
    played.push(await playedRun(setup, id))
  }
  return played
}

const inTerminal = async (setup: Setup, turns: ScriptedTurn[], typed: string[] = []): Promise<PlayedRun[]> => {
  const { policy, house, dataDir } = setup
  const { items: before } = await house.client.runs({ policy, limit: 100 })
  const questions = turns.map(({ question }) => question)
  const isOne = questions.length === 1
  const terminal = await askInTerminal(
    ['--url', house.url, '--policy', policy, '--collection', collectionOf(setup, turns), ...(isOne ? questions : [])],
    isOne ? typed : questions,
    { DATA_DIR: dataDir },
  )
  const { items } = await house.client.runs({ policy, limit: 100 })
  const asked = items.filter(({ id }) => !before.some((known) => known.id === id))
  return Promise.all(
    questions.map(async (question) => {
      const { id } =
        asked.find((run) => run.question === question) ?? expect.fail(`It did not ask: ${terminal.progress}`)
      return { ...(await playedRun(setup, id)), terminal }
    }),
  )
}

const wordsIn = (text: string): string => (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
/** The texts that the terminal must print word for word. */
const printed = ({ answer }: RunView): string[] => [
  ...[answer?.text, answer?.question, answer?.caveat].filter((text) => text !== undefined),
  ...(answer?.citations.flatMap(({ title, url }) => [title, url ?? '']) ?? []),
]
const exitCodes: Partial<Record<RunView['status'], number>> = { answered: 0, parked: 3 }
const exitCode = ({ status }: RunView): number => exitCodes[status] ?? 4

/** Plays the same turns over HTTP and in the terminal. Expects the same events, web searches and answers both times. */
const throughBothDoors = async (setup: Setup, turns: ScriptedTurn[]): Promise<PlayedRun[]> => {
  const { searches } = setup.web
  const from = searches.length
  const played = await overHttp(setup, turns)
  const until = searches.length
  const typed = await inTerminal(setup, turns)
  expect(searches.slice(until)).toEqual(searches.slice(from, until))
  return played.map((each, at) => {
    const other = typed[at] ?? expect.fail('The terminal asked fewer questions.')
    const { code, output = '' } = other.terminal ?? {}
    expect(outlineOf(other)).toEqual(outlineOf(each))
    // A conversation always exits with code 0, even if a question failed.
    expect(code).toBe(turns.length > 1 ? 0 : exitCode(other.run))
    for (const text of printed(other.run)) expect(wordsIn(output)).toContain(wordsIn(text))
    return { ...each, searches: searches.slice(from, until), inTerminal: other }
  })
}

export type Scene = {
  server: ModelServer
  /** Plays the turns over HTTP and in the terminal, and returns the runs over HTTP. */
  play(...turns: ScriptedTurn[]): Promise<PlayedRun[]>
  /** Plays the turns only in the terminal. `typed` contains the lines that the person types after the question. */
  playInTerminal(turns: ScriptedTurn[], typed: string[]): Promise<PlayedRun[]>
  decide(played: PlayedRun, decision: Pick<Decision, 'action'> & { note?: string }): Promise<PlayedRun>
  show(...turns: PlayedRun[]): void
  page(): { committed: string; current: string }
  close(): Promise<void>
}

const titleOfSpec = (): string => expect.getState().currentTestName?.split(' > ').at(-1) ?? ''

const openSetup = async (setting: Setting): Promise<Setup> => {
  await buildTerminal()
  const [web, server] = await Promise.all([openWebPages(setting.pagesFor ?? (() => [])), startModelServer()])
  const house = await openHouse({
    env: {
      OPENAI_BASE_URL: server.openaiUrl,
      OPENAI_API_KEY: 'a-key',
      WEB_SEARCH: 'searxng',
      SEARXNG_URL: web.url,
      // Without an embedding model, a passage is found only if it shares a word with the query.
      EMBEDDING_MODEL: 'none',
      // Without a cache, a question that is asked twice is answered twice.
      CACHE: 'off',
      // Allow the policies of the tenant `default` to release answers that failed their check.
      MARKED_ANSWERS: 'default',
    },
  })
  for (const [collection, { description, documents }] of Object.entries(setting.collections)) {
    await house.client.putCollection(collection, { description })
    for (const [title, text] of Object.entries(documents)) await house.add(title, text, collection)
  }
  return { ...setting, house, server, web, dataDir: await mkdtemp(join(tmpdir(), 'plumbline-scene-')) }
}

export const openScene = async (setting: Setting): Promise<Scene> => {
  const setup = await openSetup(setting)
  const { house, server, web, dataDir } = setup
  const shown: string[] = []
  const script = (turns: ScriptedTurn[]): void => server.script({ kind: 'chat' }, writtenModel(turns))
  return {
    server,
    play: (...turns) => (script(turns), throughBothDoors(setup, turns)),
    playInTerminal: (turns, typed) => (script(turns), inTerminal(setup, turns, typed)),
    decide: async ({ run, events, ...rest }, decision) => {
      const { taskId = '' } = run.review ?? {}
      await house.client.decide(run.id, { taskId, decisionId: randomUUID(), ...decision } as Decision)
      await settled(setup, run.id, events.filter(({ type }) => type === 'parked').length)
      return { ...rest, ...(await playedRun(setup, run.id)) }
    },
    show: (...turns) => void shown.push(...transcriptOf(titleOfSpec(), turns)),
    page: () => pageWith(setting.policy, shown.join('\n')),
    close: async () => {
      await house.close()
      await server.close()
      await web.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
