import type { Evidence } from '@plumbline/contracts'
import { questionOf, type Result, type Run } from '@plumbline/flow'
import { normal } from '@plumbline/knowledge/text'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import { z } from 'zod'
import { cacheLimits, digestOf, readEntry, type Cache } from './cache'
import { areVersionsServed, versionsOf } from './retrievals'
import { bytesOf, vectorOf } from './cache'
import { isNear, scopeParts } from './retrievals'
import { openFeedback } from '../runs/feedback'
import type { RedisClient } from '../client/client'

export type KnownAnswer = Pick<
  Extract<Result<'route'>, { outcome: 'known' }>,
  'from' | 'text' | 'citations' | 'passages' | 'check' | 'kept'
>
export type AnswerCache = {
  /** Returns false if the run has no collections, or if its question depends on earlier questions of the thread. */
  mayKnow(run: Run): boolean
  look(run: Run, asked: { vector: Float32Array; embedder: string }): Promise<KnownAnswer | null>
}

type Parts = { redis: RedisClient; cache: Cache; store: Pick<RunStore, 'load' | 'evidence'> }

/** Increase this number to invalidate all earlier entries. */
const shape = 2
/** `runId` is the id of the run that contains the answer. The entry is used only while this run is stored. */
const Kept = z.object({ query: z.string(), vector: z.base64(), runId: z.string() })

/** Returns the result of the check if the answer passed it and was released unchanged. Otherwise returns null. */
const released = ({ status, reason, answer, draft, grading, route }: Run): KnownAnswer['check'] | null => {
  if (status !== 'answered' || reason !== 'answered.checked') return null
  // An answer that continues a thread depends on the passages of the thread, so it is not reused for other questions.
  if (route?.to === 'continue') return null
  // An answer with table rows is not reused, because a cached answer would lose the rows.
  if (answer?.kind !== 'written' || answer.quotes !== undefined) return null
  if (!draft || !grading || grading.draft !== draft.draft || grading.degraded) return null
  const stating = grading.text || draft.text
  if (answer.caveat !== undefined || answer.question !== undefined || answer.text !== stating) return null
  const { claims, parts, support, usefulness, confidence, tooBroad } = grading
  return { claims, parts, support, usefulness, confidence, tooBroad }
}

/** True if the question makes sense without its thread. In a thread, the router must have rewritten it first. */
const standsAlone = ({ inThread, standalone }: Run): boolean => inThread === undefined || standalone !== undefined

/** The day is part of the cache key, because prompts contain the date. */
const dayOf = ({ createdAt }: Run): string => new Date(createdAt).toISOString().slice(0, 10)

const keyOf = (run: Run, versions: Record<string, string>, embedder: string): string => {
  const { tenant, filters = {}, access = [], collections, policy, skills, webOn } = run
  return digestOf([
    shape,
    scopeParts({ tenant, collections, filters, access }),
    [...collections].sort(),
    versions,
    policy,
    skills,
    webOn,
    embedder,
    normal(questionOf(run)),
    dayOf(run),
  ])
}

const entryOf = (run: Run, vector: Float32Array): Buffer =>
  Buffer.from(
    JSON.stringify({
      query: questionOf(run),
      vector: Buffer.from(bytesOf(vector)).toString('base64'),
      runId: run.id,
    } satisfies z.infer<typeof Kept>),
  )

const readingEntries = ({ redis, store }: Omit<Parts, 'cache'>) => {
  const feedback = openFeedback(redis)
  const citedBy = async ({ id, answer }: Run): Promise<Evidence[] | null> => {
    const ids = [...new Set(answer?.citations.map(({ passageId }) => passageId))]
    const passages = ids.length > 0 ? await store.evidence(id, ids) : []
    return passages.length === ids.length && ids.length > 0 ? passages : null
  }
  const answerOf = async (run: Run): Promise<KnownAnswer | null> => {
    const { id, tenant, answer, endedAt } = run
    const check = released(run)
    if (!check || !answer || endedAt === undefined) return null
    if (await feedback.isAnyBad(id)) return null
    const passages = await citedBy(run)
    if (!passages || !(await areVersionsServed(redis, tenant, passages))) return null
    return {
      from: { runId: id, at: new Date(endedAt).toISOString() },
      text: answer.text,
      citations: answer.citations,
      passages,
      check,
    }
  }
  return async (run: Run, entry: Buffer | null, vector: Float32Array): Promise<KnownAnswer | 'under way' | null> => {
    const kept = entry && readEntry(Kept, entry)
    if (!kept || kept.runId === run.id) return null
    if (
      !isNear(
        { query: kept.query, vector: vectorOf(Buffer.from(kept.vector, 'base64')) },
        { query: questionOf(run), vector },
      )
    )
      return null
    const earlier = (await store.load(kept.runId))?.run
    if (!earlier || earlier.tenant !== run.tenant) return null
    if (earlier.endedAt === undefined && earlier.status !== 'parked') return 'under way'
    return answerOf(earlier)
  }
}

/** Opens the cache of answers. A cached answer becomes invalid when one of the searched collections changes. */
export const openAnswerCache = ({ redis, cache, store }: Parts): AnswerCache => {
  const found = readingEntries({ redis, store })
  return {
    mayKnow: (run) => standsAlone(run) && run.collections.length > 0,
    look: async (run, { vector, embedder }) => {
      const versions = await cache.within(() => versionsOf(redis, run.tenant, run.collections))
      if (!versions) return null
      const place = { name: `answers:${run.tenant}`, limits: cacheLimits.answers }
      const key = keyOf(run, versions, embedder)
      const entry = await cache.get(place, key)
      const known = await cache.within(() => found(run, entry, vector))
      if (known !== null && known !== 'under way') return known
      // The entry of a run in progress is not replaced. Otherwise concurrent runs would replace each other's entries.
      if (known === null) await cache.put(place, key, entryOf(run, vector))
      return null
    },
  }
}
