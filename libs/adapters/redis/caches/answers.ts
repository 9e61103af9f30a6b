import type { Evidence } from '@plumbline/contracts'
import { questionOf, type Result, type Run } from '@plumbline/flow'
import { normal } from '@plumbline/knowledge/text'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import { z } from 'zod'
import { cacheLimits, digestOf, readKept, type Cache } from './cache'
import { areServed, versionsOf } from './retrievals'
import { bytesOf, vectorOf } from './cache'
import { isNear, scopeParts } from './retrievals'
import { openFeedback } from '../runs/feedback'
import type { RedisClient } from '../client/client'

export type KnownAnswer = Pick<
  Extract<Result<'route'>, { outcome: 'known' }>,
  'from' | 'text' | 'citations' | 'passages' | 'check' | 'kept'
>
export type AnswerCache = {
  /** Whether an answer to this run's question could be kept at all: one of the moment, or of a thread before it stands alone, could not. */
  mayKnow(run: Run): boolean
  /** The answer of an earlier run to just this; null where there is none, and then this run's answer is what the next may find. */
  look(run: Run, asked: { vector: Float32Array; embedder: string }): Promise<KnownAnswer | null>
}

type Parts = { redis: RedisClient; cache: Cache; store: Pick<RunStore, 'load' | 'evidence'> }

/** Raised whenever an answer of before must not be given any more: 1 was checked with sentences exempt. */
const shape = 2
/** Who was asked, never what was said: the run itself says that, for as long as it is kept. */
const Kept = z.object({ query: z.string(), vector: z.base64(), runId: z.string() })

/** Checked by the graders and by nobody overruled, released as it was written, for its own question alone. */
const released = ({ status, reason, answer, draft, grading, route }: Run): KnownAnswer['check'] | null => {
  if (status !== 'answered' || reason !== 'answered.checked') return null
  // What a thread had found before is not what another asker of the same question would find.
  if (route?.to === 'continue') return null
  // A known answer is its text and its citations: one that shows rows of a table as well would lose them.
  if (answer?.kind !== 'written' || answer.quotes !== undefined) return null
  if (!draft || !grading || grading.draft !== draft.draft || grading.degraded) return null
  const stating = grading.text || draft.text
  if (answer.caveat !== undefined || answer.question !== undefined || answer.text !== stating) return null
  const { claims, parts, support, usefulness, confidence, tooBroad } = grading
  return { claims, parts, support, usefulness, confidence, tooBroad }
}

/** A question of a thread is another one in each, until the router has made it stand alone. */
const standsAlone = ({ inThread, standalone }: Run): boolean => inThread === undefined || standalone !== undefined

/** Prompts tell the date, so that an answer may be another one tomorrow though no document has changed. */
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

/** What an entry says of this run's question: the answer of the run it names, where that still may be given. */
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
    if (!passages || !(await areServed(redis, tenant, passages))) return null
    return {
      from: { runId: id, at: new Date(endedAt).toISOString() },
      text: answer.text,
      citations: answer.citations,
      passages,
      check,
    }
  }
  return async (run: Run, entry: Buffer | null, vector: Float32Array): Promise<KnownAnswer | 'under way' | null> => {
    const kept = entry && readKept(Kept, entry)
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

/** Released answers, by the run that has them. An entry ends with any change of the collections it may have been drawn from. */
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
      // One that is under way stays: under many who ask at once each would put out the one before, and none would ever be found.
      if (known === null) await cache.put(place, key, entryOf(run, vector))
      return null
    },
  }
}
