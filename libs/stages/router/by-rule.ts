import type { Result, Run } from '@plumbline/flow'
import { ruleFor, type RoutingRule } from '@plumbline/hosting/routing/rules'
import type { Skills } from '@plumbline/skills'

type Routed = Awaited<ReturnType<Skills['route']>>

/** The rule that decides the route of a run. One that only names a policy has done its work when the run was made. */
export const decidingRule = (rules: readonly RoutingRule[], run: Run): RoutingRule | undefined => {
  const rule = ruleFor(rules, run)
  const { reply, collections, lookup } = rule?.then ?? {}
  return (reply ?? collections ?? lookup) ? rule : undefined
}

/** Only a model can make a question of a thread stand alone; a reply in fixed words needs none. */
export const needsNoModel = ({ then }: RoutingRule, { inThread }: Run): boolean =>
  then.reply !== undefined || inThread === undefined

/** Where a rule leads. What a model made of the question is kept; where it would have led is not. */
export const byRule = (
  { name, then }: RoutingRule,
  { collections }: Run,
  { question, summary, simple, queries }: Partial<Routed> = {},
): Result<'route'> => {
  const logic = `The operator's rule “${name}” decides.`
  if (then.reply !== undefined) return { outcome: 'reply', logic, text: then.reply }
  return {
    outcome: 'research',
    logic,
    collections: collections.filter((each) => then.collections?.includes(each) ?? true),
    ...(then.lookup !== undefined && { lookup: then.lookup }),
    ...(question !== undefined && { question }),
    ...(summary !== undefined && { summary }),
    ...(simple !== undefined && { simple }),
    ...(queries && { queries }),
  }
}
