import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { withScripts, type RedisClient } from '../client/client'
import { answerWithinMs, withTimeout } from '../client/errors'
import appendDraft from './lua/append-draft.lua'
import begin from './lua/begin.lua'
import commit from './lua/commit.lua'
import countError from './lua/count-error.lua'
import create from './lua/create.lua'
import findParked from './lua/find-parked.lua'
import listParked from './lua/list-parked.lua'
import load from './lua/load.lua'
import postpone from './lua/postpone.lua'
import uncountStarts from './lua/uncount-starts.lua'
import { openSettling } from '../limits/settle-run'
import { recordNotices } from '../client/webhook-outbox'
import { runCache } from './run-text'
import { openTimeSlices } from './time-slices'

export type RunStoreOptions = {
  redis: RedisClient
  retentionMs?: number
  /** The time limit of a call, in ms. A slower call fails with `store.unavailable`. The default is 900 ms. */
  answerWithinMs?: number
}

export const openContext = ({ redis, retentionMs = 24 * 3_600_000, answerWithinMs: withinMs }: RunStoreOptions) => ({
  redis,
  retentionMs,
  call: withTimeout(withinMs ?? answerWithinMs),
  known: runCache(),
  inLoadSlices: openTimeSlices(() => nextTurn()),
  /** Pauses after each slice of work for as long as it took, so that searches use at most half of the event loop. */
  inSearchSlices: openTimeSlices((ms) => wait(ms)),
  notice: recordNotices(redis),
  settle: openSettling(redis),
  scripts: withScripts(redis, {
    runCreate: { lua: create, numberOfKeys: 4 },
    runsCreate: { lua: create },
    runBegin: { lua: begin, numberOfKeys: 1 },
    runCommit: { lua: commit, numberOfKeys: 4 },
    runCountError: { lua: countError, numberOfKeys: 1 },
    runUncountStarts: { lua: uncountStarts, numberOfKeys: 1 },
    runLoad: { lua: load, numberOfKeys: 1 },
    runAppendDraft: { lua: appendDraft, numberOfKeys: 2 },
    runsPostpone: { lua: postpone, numberOfKeys: 1 },
    runsListParked: { lua: listParked, numberOfKeys: 7 },
    runsFindParked: { lua: findParked, numberOfKeys: 1 },
  }),
})
export type Context = ReturnType<typeof openContext>
