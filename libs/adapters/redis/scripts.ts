import type { Cluster, Redis } from 'ioredis'
import appendDraft from './lua/append-draft.lua'
import beginDocument from './lua/begin-document.lua'
import begin from './lua/begin.lua'
import cacheGet from './lua/cache-get.lua'
import cachePut from './lua/cache-put.lua'
import charge from './lua/charge.lua'
import commit from './lua/commit.lua'
import countError from './lua/count-error.lua'
import createDocument from './lua/create-document.lua'
import create from './lua/create.lua'
import finishDocument from './lua/finish-document.lua'
import load from './lua/load.lua'
import noteHeadings from './lua/note-headings.lua'
import progressDocument from './lua/progress-document.lua'
import requeueDocument from './lua/requeue-document.lua'
import settlePlace from './lua/settle-place.lua'
import takeDue from './lua/take-due.lua'
import takePlace from './lua/take-place.lua'
import uncountStart from './lua/uncount-start.lua'

export type RedisClient = Redis | Cluster

const scripts = {
  runCreate: { lua: create, numberOfKeys: 4 },
  runsCreate: { lua: create },
  runBegin: { lua: begin, numberOfKeys: 1 },
  runCommit: { lua: commit, numberOfKeys: 3 },
  runCountError: { lua: countError, numberOfKeys: 1 },
  runUncountStart: { lua: uncountStart, numberOfKeys: 1 },
  runLoad: { lua: load, numberOfKeys: 1 },
  runAppendDraft: { lua: appendDraft, numberOfKeys: 2 },
  runsTakeDue: { lua: takeDue, numberOfKeys: 1 },
  charge: { lua: charge, numberOfKeys: 1 },
  cacheGet: { lua: cacheGet, numberOfKeys: 2 },
  cachePut: { lua: cachePut, numberOfKeys: 2 },
  bucketTake: { lua: takePlace, numberOfKeys: 1 },
  bucketSettle: { lua: settlePlace, numberOfKeys: 1 },
  documentCreate: { lua: createDocument, numberOfKeys: 1 },
  documentBegin: { lua: beginDocument, numberOfKeys: 1 },
  documentProgress: { lua: progressDocument, numberOfKeys: 1 },
  documentFinish: { lua: finishDocument, numberOfKeys: 1 },
  documentRequeue: { lua: requeueDocument, numberOfKeys: 1 },
  headingsNote: { lua: noteHeadings, numberOfKeys: 3 },
}
type ScriptName = keyof typeof scripts
/** Runs a script with its keys first, before them their number where it varies; ioredis sends the text once per connection and its hash from then on. */
export type Scripts = Record<ScriptName, (...keysAndArgs: (string | number | Buffer)[]) => Promise<unknown>>

export const withScripts = (redis: RedisClient): Scripts => {
  for (const [name, script] of Object.entries(scripts)) redis.defineCommand(name, script)
  return redis as unknown as Scripts
}
