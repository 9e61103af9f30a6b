import type { Evidence } from '@plumbline/contracts'
import { chatOverHttp } from '@plumbline/testing/chat-over-http'
import { type ModelServer, startModelServer } from '@plumbline/testing/model-server/model-server'
import { messagesOf, readPrompt } from '@plumbline/testing/scripted-model/prompt-content'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { ModelOf } from './ask-model'
import type { Call } from './skill'

const passage = (id: string, heading: string, text: string): Evidence => ({
  id,
  documentId: 'harbours',
  collection: 'default',
  title: 'Harbour report',
  headingPath: ['Harbour report', heading],
  text,
  position: 0,
  scores: {},
})

/** An invented report that is quick to read: two tables and two pages of prose. */
export const shorePower = passage(
  'shore-power',
  'Table 1. Shore power use (SPU) by harbour',
  `| Harbour | Code | 2020 | 2021 | 2022 |
|---|---|---|---|---|
| Aldwick | ald-1 | 12% | 14% | 19% |
| Aldwick (east quay) | ald-2 | — | 31% | not reported |
| Brenholm, Westland | bre-1 | 8% | 8% | 11% |
| New Corvey | cor-1 | 40% | 38% | 44% |`,
)
export const dwellTime = passage(
  'dwell-time',
  'Table 2. Dwell time',
  `A dash means that nothing was reported. Harbours without cranes, for example Dunmere, are not in this table.

| Harbour | Mean dwell time (hours) | Cranes | Crane type |
|---|---|---|---|
| Aldwick | 31.5 | 12 | gantry |
| Brenholm, Westland | 18.2 | 4 | mobile |
| New Corvey | 55.0 | – | gantry |`,
)
export const pilots = passage(
  'pilots',
  'Pilots',
  `A harbour pilot boards every ship above 500 tonnes before it enters. Boarding lasts 20–30 minutes in calm weather.

There are three kinds of pilots:

- Sea pilots guide ships from the open sea to the roads.
- Basin pilots guide ships between the basins.
- Dock pilots bring ships to their berth.

Pilots do not work during storms, because the boarding ladder cannot be used then.`,
)
export const history = passage(
  'history',
  'History',
  'The first quay of Aldwick was built in 1874 by the engineer Maria Lund. Shore power use (SPU) is the share of berthed ships that take power from land.',
)
export const harbours = [dwellTime, history, pilots, shorePower]

export const callWith = (fields: Partial<Call> = {}): Call => ({
  signal: new AbortController().signal,
  tier: 'small',
  temperature: 0,
  ...fields,
})

/** Starts a recording model server for the specs of one file. Returns readers of the prompts that it receives. */
export const useModel = () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer({ validate: false })
  })
  afterEach(() => server.reset())
  afterAll(() => server.close())
  const chat: ModelOf = () => chatOverHttp(server.openaiUrl)
  const sent = () => server.calls('chat').map(messagesOf)
  return {
    chat,
    server: () => server,
    sent,
    systems: () => sent().map(([system]) => system?.content ?? ''),
    shown: () => sent().map((messages) => readPrompt(messages[1]?.content ?? '')),
  }
}
