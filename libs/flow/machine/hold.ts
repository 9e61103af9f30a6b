import type { Reason } from '@plumbline/contracts'
import type { z } from 'zod'
import { RuleReason } from '../schema/hold'
import { questionOf, type Run } from '../schema/run'
import { draftIds } from './evidence'

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

const wordsIn = (text: string): string => {
  const words = [...segmenter.segment(text.normalize('NFKC').toLowerCase())].filter(({ isWordLike }) => isWordLike)
  return ` ${words.map(({ segment }) => segment).join(' ')} `
}

export const hasWords = (text: string, wanted: readonly string[]): boolean => {
  // Return early, because most tenants have no rule with words.
  if (wanted.length === 0) return false
  const words = wordsIn(text)
  return wanted.some((one) => words.includes(wordsIn(one)))
}

export const isByRule = (reason: Reason): boolean => RuleReason.safeParse(reason).success

/** Returns the collections of the draft's passages. If one of them is unknown, returns all searched collections. */
const shownCollections = (run: Run): string[] => {
  const shown = new Set(draftIds(run))
  const rows = run.steps.flatMap(({ evidence }) => evidence).filter(({ id }) => shown.has(id))
  const names = new Map(rows.flatMap(({ id, collection }) => (collection ? [[id, collection] as const] : [])))
  return names.size < shown.size ? (run.route?.collections ?? run.collections) : [...names.values()]
}

/** Returns why a review rule holds the answer. The random sample is last, because other reasons say more. */
export const ruleHolds = (
  run: Run,
  shown: () => string[] = () => shownCollections(run),
): z.infer<typeof RuleReason> | undefined => {
  const { hold } = run
  if (!hold) return undefined
  if (hold.reason && hold.reason !== 'parked.sample') return hold.reason
  if (hold.collections && shown().some((name) => hold.collections?.includes(name))) return 'parked.collection'
  return hold.words && hasWords(questionOf(run), hold.words) ? 'parked.words' : hold.reason
}
