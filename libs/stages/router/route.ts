import type { AnswerCache, KnownAnswer } from '@plumbline/adapters/redis/caches/answers'
import type { PinnedAnswers } from '@plumbline/adapters/redis/caches/pinned-answers'
import { questionOf, type Result, type Run } from '@plumbline/flow'
import { cardsFor } from '@plumbline/hosting/routing/lookup-cards'
import { type RoutingRule, ruleFor } from '@plumbline/hosting/routing/rules'
import type { DescribedLookup } from '@plumbline/ports/lookup'
import type { Embedder } from '@plumbline/ports/search-models'
import type { Skills, Thread } from '@plumbline/skills/skill/skill'
import type { StageHandler, Work } from '@plumbline/worker'
import type { CardCatalog } from '../handler/collection-cards'
import { callOf } from '../handler/skill-call'

export type FindAnswer = (work: Work<'route'>) => Promise<KnownAnswer | null>

/** If embedding a question takes longer than this, the answer cache is not used. */
const embedTimeoutMs = 2_000

export const cachedAnswer =
  (cache: AnswerCache, embedder: Embedder): FindAnswer =>
  async ({ run, signal, onCall }) => {
    if (!cache.mayKnow(run)) return null
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(embedTimeoutMs)])
      const [vector] = await embedder.embed([questionOf(run)], limited, ({ model, usage }) =>
        onCall({ skill: 'embed', model, usage }),
      )
      return vector ? await cache.look(run, { vector, embedder: embedder.name }) : null
    } catch {
      signal.throwIfAborted()
      return null
    }
  }

export const pinnedOrCached =
  (kept: Pick<PinnedAnswers, 'look'>, known: FindAnswer | undefined): FindAnswer =>
  async (work) => {
    const { inThread, standalone } = work.run
    const standsAlone = inThread === undefined || standalone !== undefined
    return (standsAlone ? await kept.look(work.run) : null) ?? (await known?.(work)) ?? null
  }

type Routed = Awaited<ReturnType<Skills['route']>>

/** Ignores a rule that only names a policy, because the policy was applied when the run was created. */
const decidingRule = (rules: readonly RoutingRule[], run: Run): RoutingRule | undefined => {
  const rule = ruleFor(rules, run)
  const { reply, collections, lookup } = rule?.then ?? {}
  return (reply ?? collections ?? lookup) ? rule : undefined
}

/**
 * Returns whether the rule can decide without a model. A follow-up question needs a model that makes it standalone,
 * unless the rule gives a fixed reply.
 */
const needsNoModel = ({ then }: RoutingRule, { inThread }: Run): boolean =>
  then.reply !== undefined || inThread === undefined

const byRule = ({ name, then }: RoutingRule, { collections }: Run, routed: Partial<Routed> = {}): Result<'route'> => {
  const logic = `The operator's rule “${name}” decides.`
  if (then.reply !== undefined) return { outcome: 'reply', logic, text: then.reply }
  return {
    outcome: 'research',
    logic,
    collections: collections.filter((each) => then.collections?.includes(each) ?? true),
    lookup: then.lookup,
    ...understoodBy(routed),
    ...searchOf(routed),
  }
}

type Ports = {
  skills: Pick<Skills, 'route' | 'standaloneQuestion'>
  catalog: CardCatalog
  known?: FindAnswer | undefined
  /** The operator's rules take precedence over a model. */
  rules?: readonly RoutingRule[]
  lookups?: readonly DescribedLookup[]
}

/** An early search starts after this time, unless the route is already known. */
const earlyAfterMs = 100

/** Starts a search before the route is known. Ignores its errors, because the regular search follows. */
const withEarlySearch = async <T>({ startAhead }: Work<'route'>, routed: Promise<T>): Promise<T> => {
  const timer = setTimeout(() => void startAhead?.().catch(() => {}), earlyAfterMs)
  return routed.finally(() => clearTimeout(timer))
}

const threadOf = ({ inThread }: Run): Thread | undefined =>
  inThread && {
    turns: [...(inThread.turns ?? []), { question: inThread.question, text: inThread.text }],
    summary: inThread.summary,
    askedBack: inThread.status === 'needs_input',
    hasPassages: inThread.passageIds.length > 0,
  }

const onlyUnderstood = async (skills: Ports['skills'], work: Work<'route'>): Promise<Result<'route'>> => {
  const { question, collections } = work.run
  const thread = threadOf(work.run)
  const understood = thread ? await skills.standaloneQuestion({ question, thread }, callOf(work, 'route')) : {}
  const logic = 'This policy researches every question.'
  return { outcome: 'research', logic, collections, ...understoodBy(understood) }
}

export const route =
  ({ skills, catalog, known, rules = [], lookups = [] }: Ports): StageHandler<'route'> =>
  async (work) => {
    const { run, signal } = work
    if (run.policy.entry !== 'route') return onlyUnderstood(skills, work)
    const rule = decidingRule(rules, run)
    if (rule && needsNoModel(rule, run)) return byRule(rule, run)
    const before = rule ? null : await known?.(work)
    if (before) return knownAs(before)
    const { webOn, policy } = run
    const thread = threadOf(run)
    const input = {
      question: run.question,
      collections: await catalog.cards(run.tenant, run.collections, signal),
      webOn,
      mode: policy.routing,
      queries: policy.queriesPerStep,
      knowledge: policy.generalKnowledge !== 'off',
      lookups: cardsFor(lookups, run),
      thread,
    }
    const routed = await withEarlySearch(work, skills.route(input, callOf(work, 'route')))
    if (rule) return byRule(rule, run, routed)
    // The cache is asked again, because it contains follow-up questions only in standalone form.
    const standalone = routed.question ?? run.question
    const alone = thread && routed.to === 'research' ? await known?.({ ...work, run: { ...run, standalone } }) : null
    return alone
      ? { ...knownAs(alone), ...understoodBy(routed) }
      : outcomeOf(routed, run.collections, collectionsOf(lookups, routed))
  }

const knownAs = (answer: KnownAnswer) => ({
  outcome: 'known' as const,
  logic: answer.kept
    ? 'A person pinned the answer to this question, and no document it cites has changed since.'
    : 'The same question was answered before, and no document has changed since.',
  ...answer,
})

const understoodBy = ({ question, summary, lookups }: Partial<Routed>) => ({ question, summary, lookups })
const searchOf = ({ simple, queries }: Partial<Routed>) => ({ simple, queries })

/** Returns the collections of the chosen lookups, because the researcher uses only lookups of searched collections. */
const collectionsOf = (lookups: readonly DescribedLookup[], { lookups: chosen = [] }: Routed): string[] =>
  lookups.filter(({ name }) => chosen.includes(name)).flatMap(({ collections }) => collections)

/** The model may select only collections that the asker may read. */
const outcomeOf = (routed: Routed, readable: string[], ofLookups: string[]): Result<'route'> => {
  const { to, logic, collections, queries, title, knowledge } = routed
  const understood = { logic, ...understoodBy(routed) }
  const named = readable.filter((name) => collections.includes(name) || ofLookups.includes(name))
  const within = named.length > 0 ? named : readable
  switch (to) {
    case 'research':
      return { outcome: to, ...understood, collections: within, ...searchOf(routed) }
    case 'summarise':
      return { outcome: to, ...understood, collections: within, title: title ?? '' }
    case 'web':
      return { outcome: to, ...understood, queries }
    case 'reply':
      return { outcome: to, ...understood, knowledge }
    case 'clarify':
    case 'decline':
    case 'continue':
      return { outcome: to, ...understood }
  }
}
