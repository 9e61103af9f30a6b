import type { Evidence, ModelCall } from '@plumbline/contracts'
import { evidenceFor, type TaskKind, withGrades } from '@plumbline/flow'
import { type RunState, openTask } from '@plumbline/flow/spec/run-fixtures.spec'
import type { Work } from '@plumbline/worker'

type Seen = { deltas: string[]; calls: ModelCall[] }

/** Returns a run's open task as the worker passes it to its handler, with the passages it needs. */
export const workOn = <K extends TaskKind>(
  given: RunState,
  kind: K,
  passages: Evidence[] = [],
  seen: Seen = { deltas: [], calls: [] },
): Work<K> => {
  const task = openTask(given, kind)
  const needed = evidenceFor(given.run, task)
  return {
    run: given.run,
    task,
    evidence: withGrades(
      given.run,
      passages.filter(({ id }) => needed.includes(id)),
    ),
    signal: new AbortController().signal,
    onCall: (call) => void seen.calls.push(call),
    onDelta: (text) => void seen.deltas.push(text),
  }
}

const planets = {
  name: 'planets',
  description: 'The planets of the solar system: mass, radius, gravity, moons and missions.',
}
const memory = { name: 'memory', description: 'Agent memory: sensory, short-term and long-term memory.' }
export const catalog = {
  cards: (_tenant: string, names: string[]) =>
    Promise.resolve([planets, memory].filter(({ name }) => names.includes(name))),
}
