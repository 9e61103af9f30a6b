import type { KnownAnswer } from '@plumbline/adapters/redis'
import type { Run } from '@plumbline/flow'
import { ruleFor, type RoutingRule } from '@plumbline/hosting/routing/rules'
import type { Skills, Thread } from '@plumbline/skills'
import type { StageHandler } from '@plumbline/worker'
import { callOf } from '../call'
import type { CardCatalog } from '../catalog'
import type { KnownBefore } from './known'

type Ports = {
  skills: Pick<Skills, 'route'>
  catalog: CardCatalog
  known?: KnownBefore | undefined
  /** What the operator decides before any model. */
  rules?: readonly RoutingRule[]
}
type Outcome = Awaited<ReturnType<StageHandler<'route'>>>
type Routed = Awaited<ReturnType<Skills['route']>>

/** The conversation as the router is to read it: what was asked and what was released. */
const threadOf = ({ inThread }: Run): Thread | undefined =>
  inThread && {
    turns: [...(inThread.turns ?? []), { question: inThread.question, text: inThread.text }],
    ...(inThread.summary !== undefined && { summary: inThread.summary }),
    askedBack: inThread.status === 'needs_input',
    hasPassages: inThread.passageIds.length > 0,
  }

/** Only a model can make a question of a thread stand alone; where it leads is the rule's to say all the same. */
const byRule = ({ name, then }: RoutingRule, { collections }: Run, routed?: Routed): Outcome => {
  const logic = `The operator's rule “${name}” decides.`
  if (then.reply !== undefined) return { outcome: 'reply', logic, text: then.reply }
  const within = collections.filter((each) => then.collections?.includes(each) ?? true)
  return {
    outcome: 'research',
    logic,
    collections: within,
    ...(then.lookup !== undefined && { lookup: then.lookup }),
    ...(routed && understoodBy(routed)),
    ...(routed?.simple !== undefined && { simple: routed.simple }),
    ...(routed?.queries && { queries: routed.queries }),
  }
}

/** A rule that only names a policy has done its work when the run was made. */
const decides = ({ then }: RoutingRule): boolean =>
  then.reply !== undefined || then.collections !== undefined || then.lookup !== undefined

export const route =
  ({ skills, catalog, known, rules = [] }: Ports): StageHandler<'route'> =>
  async (work) => {
    const { run, signal } = work
    const found = ruleFor(rules, run)
    const rule = found && decides(found) ? found : undefined
    if (rule && (rule.then.reply !== undefined || !run.inThread)) return byRule(rule, run)
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
const outcomeOf = (routed: Routed, readable: string[]): Outcome => {
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
