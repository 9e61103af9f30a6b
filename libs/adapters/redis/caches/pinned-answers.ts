import { Checked, CitedPassage, Evidence } from '@plumbline/contracts'
import { questionOf, type Run } from '@plumbline/flow'
import { normal } from '@plumbline/knowledge/text'
import { AppError } from '@plumbline/platform'
import { z } from 'zod'
import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'
import type { KnownAnswer } from './answers'
import { type Cache, cacheLimits, digestOf, readEntry } from './cache'
import { areVersionsServed, scopeParts } from './retrievals'

/** Increase this number when the shape of entries changes, so that entries of another release are ignored. */
const shape = 1

const PinnedAnswer = z.object({
  question: z.string(),
  from: z.object({ runId: z.string(), at: z.string() }),
  text: z.string().min(1),
  citations: z.array(CitedPassage),
  passages: z.array(Evidence).min(1),
  check: Checked,
})

const spaceOf = (tenant: string) => ({ name: `kept:${tenant}`, limits: cacheLimits.kept })

/** The key does not contain the collections, because a lookup checks the collections of the cited passages. */
const keyOf = (run: Run): string => {
  const { tenant, filters = {}, access = [], collections, policy } = run
  return digestOf([shape, scopeParts({ tenant, collections, filters, access }), policy.name, normal(questionOf(run))])
}

const unchecked: Checked = { claims: [], parts: [], support: 'none', confidence: 0, tooBroad: false }
const checkOf = ({ grading, draft }: Run): Checked => {
  if (!grading || grading.draft !== draft?.draft) return unchecked
  const { claims, parts, support, usefulness, confidence, tooBroad } = grading
  return { claims, parts, support, usefulness, confidence, tooBroad }
}

const byPerson = new Set(['answered.decided', 'answered.edited'])

const mayBePinned = ({ status, reason = '', answer, endedAt }: Run): boolean =>
  status === 'answered' &&
  byPerson.has(reason) &&
  endedAt !== undefined &&
  answer?.kind === 'written' &&
  answer.quotes === undefined &&
  answer.caveat === undefined &&
  answer.citations.length > 0

/**
 * Opens the store of pinned answers. A pinned answer is reused for the same question for 90 days, or until a cited
 * document changes.
 */
export const openPinnedAnswers = ({ redis, cache }: { redis: RedisClient; cache: Cache }) => {
  const drop = async (run: Run): Promise<void> =>
    void (await redis.hdel(keys.cached(spaceOf(run.tenant).name), keyOf(run)))
  return {
    keep: async (run: Run, passages: Evidence[]): Promise<boolean> => {
      const { id, tenant, answer, endedAt } = run
      if (!mayBePinned(run) || !answer || endedAt === undefined) return false
      const cited = passages.filter((passage) => answer.citations.some(({ passageId }) => passageId === passage.id))
      if (cited.length === 0 || !(await areVersionsServed(redis, tenant, cited))) return false
      const kept: z.infer<typeof PinnedAnswer> = {
        question: normal(questionOf(run)),
        from: { runId: id, at: new Date(endedAt).toISOString() },
        text: answer.text,
        citations: answer.citations,
        passages: cited,
        check: checkOf(run),
      }
      const bytes = Buffer.from(JSON.stringify(kept))
      if (bytes.byteLength > cacheLimits.kept.maxBytes) return false
      await cache.put(spaceOf(tenant), keyOf(run), bytes)
      // The cache ignores errors, so the entry is read again. If it is missing, the person who pins the answer must see
      // an error.
      if (!(await cache.get(spaceOf(tenant), keyOf(run)))) throw new AppError('store.unavailable', 'later')
      return true
    },
    /** Returns null if a cited passage is not in the run's collections, or if a cited document has changed. */
    look: async (run: Run): Promise<KnownAnswer | null> => {
      const entry = await cache.get(spaceOf(run.tenant), keyOf(run))
      const kept = entry && readEntry(PinnedAnswer, entry)
      if (!kept || kept.question !== normal(questionOf(run)) || kept.from.runId === run.id) return null
      const { question: _, ...known } = kept
      if (known.passages.some(({ collection }) => !run.collections.includes(collection))) return null
      const served = await cache.within(() => areVersionsServed(redis, run.tenant, known.passages))
      if (served === false) await cache.within(() => drop(run))
      return served ? { ...known, kept: true } : null
    },
    drop,
  }
}
export type PinnedAnswers = ReturnType<typeof openPinnedAnswers>
