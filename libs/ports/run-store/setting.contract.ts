import { afterAll, beforeAll, expect } from 'vitest'
import type { Run } from '@plumbline/flow'
import type { BegunTask, Commit, RunStore } from './run-store'
import { abandoned, asked, sampleRun } from './sample-run'

/** The store under test. `other` is the same store, opened as a second process would open it. */
export type RunStoreSubject = {
  store: RunStore
  other: RunStore
  /** Deletes a run, as if its retention had ended. */
  forget(runId: string): Promise<void>
  /** Saves the state of a run and returns a function that restores it, as if the store had lost its last writes. */
  snapshot(runId: string): Promise<() => Promise<void>>
  close(): Promise<void>
}
type Open = Extract<BegunTask, { kind: 'open' }>

let made = 0
const newId = (): string => `r${String((made += 1)).padStart(24, '0')}`

export const move = (run: Run, version: string, by: Commit['by'], say = 'moved'): Commit => ({
  run,
  version,
  by,
  events: [abandoned(say)],
  evidence: [],
})

export const settingOf = (open: () => Promise<RunStoreSubject>) => {
  let subject: RunStoreSubject
  beforeAll(async () => {
    subject = await open()
  })
  afterAll(() => subject.close())
  return {
    newId,
    get subject() {
      return subject
    },
    get store() {
      return subject.store
    },
    get other() {
      return subject.other
    },
    created: async (over: Partial<Run> = {}): Promise<Run> => {
      const run = sampleRun({ id: newId(), ...over })
      expect(await subject.store.create(run, [asked()], 'body')).toEqual({ kind: 'created' })
      return run
    },
    begun: async (runId: string, taskId: string, fence: string, isolated = false): Promise<Open> => {
      const answer = await subject.store.begin(runId, taskId, fence, { isolated })
      if (answer.kind !== 'open') throw new Error(`expected an open task, not ${answer.kind}`)
      return answer
    },
    versionOf: async (runId: string): Promise<string> => (await subject.store.load(runId))?.version ?? '',
    said: async (runId: string): Promise<string[]> =>
      (await subject.store.ledger(runId, null, 1_000)).map(({ event }) =>
        event.type === 'abandoned' ? event.reason : event.type,
      ),
  }
}
export type Setting = ReturnType<typeof settingOf>
