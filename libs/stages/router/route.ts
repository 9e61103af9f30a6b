import type { KnownAnswer } from '@plumbline/adapters/redis'
import type { Result, Run } from '@plumbline/flow'
import type { RoutingRule } from '@plumbline/hosting/routing/rules'
import type { Skills, Thread } from '@plumbline/skills'
import type { StageHandler } from '@plumbline/worker'
import { callOf } from '../call'
import type { CardCatalog } from '../catalog'
import { byRule, decidingRule, needsNoModel } from './by-rule'
import type { KnownBefore } from './known'

type Ports = {
  skills: Pick<Skills, 'route'>
  catalog: CardCatalog
  known?: KnownBefore | undefined
  /** What the operator decides before any model. */
  rules?: readonly RoutingRule[]
}

type Routed = Awaited<ReturnType<Skills['route']>>

/** The conversation as the router is to read it: what was asked and what was released. */
const threadOf = ({ inThread }: Run): Thread | undefined =>
  inThread && {
    turns: [...(inThread.turns ?? []), { question: inThread.question, text: inThread.text }],
    ...(inThread.summary !== undefined && { summary: inThread.summary }),
    askedBack: inThread.status === 'needs_input',
    hasPassages: inThread.passageIds.length > 0,
  }

export const route =
  ({ skills, catalog, known, rules = [] }: Ports): StageHandler<'route'> =>
  async (work) => {
    const { run, signal } = work
    const rule = decidingRule(rules, run)
    if (rule && needsNoModel(rule, run)) return byRule(rule, run)
    const before = rule ? null : await known?.(work)
    if (before) return knownAs(before)
    const { webOn, policy } = run
    const thread = threadOf(run)
    const routed = await skills.route(
      {
        question: run.question,
        collections: await catalog.cards(run.tenant, run.collections, signal),
        webOn,
        mode: policy.routing ?? 'scope',
        queries: policy.queriesPerStep,
        knowledge: (policy.generalKnowledge ?? 'off') !== 'off',
        ...(thread && { thread }),
      },
      callOf(work, 'route'),
    )
    if (rule) return byRule(rule, run, routed)
    // A question of a thread can be known only as it stands alone.
    const standalone = routed.question ?? run.question
    const alone = thread && routed.to === 'research' ? await known?.({ ...work, run: { ...run, standalone } }) : null
    return alone ? { ...knownAs(alone), ...understoodBy(routed) } : outcomeOf(routed, run.collections)
  }

const knownAs = (answer: KnownAnswer) => ({
  outcome: 'known' as const,
  logic: 'Just this question was answered before, and no document has changed since.',
  ...answer,
})

const understoodBy = ({ question, summary }: Pick<Routed, 'question' | 'summary'>) => ({
  ...(question !== undefined && { question }),
  ...(summary !== undefined && { summary }),
})

/** A router names what fits the question; it cannot let a run read more than it may. */
const outcomeOf = (routed: Routed, readable: string[]): Result<'route'> => {
  const { to, logic, collections, simple, queries, title, knowledge } = routed
  const understood = { logic, ...understoodBy(routed) }
  const named = readable.filter((name) => collections.includes(name))
  const within = named.length > 0 ? named : readable
  switch (to) {
    case 'research':
      return {
        outcome: to,
        ...understood,
        collections: within,
        ...(simple !== undefined && { simple }),
        ...(queries && { queries }),
      }
    case 'summarise':
      return { outcome: to, ...understood, collections: within, title: title ?? '' }
    case 'web':
      return { outcome: to, ...understood, ...(queries && { queries }) }
    case 'reply':
      return { outcome: to, ...understood, ...(knowledge !== undefined && { knowledge }) }
    case 'clarify':
    case 'decline':
    case 'continue':
      return { outcome: to, ...understood }
  }
}
