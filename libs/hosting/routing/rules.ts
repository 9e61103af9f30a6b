import { z } from 'zod'
import { readYaml } from '@plumbline/platform/yaml-file'
import { spans } from '@plumbline/knowledge/text'
import { longestQuestion, patternCost } from './pattern-cost'

/** Steps from one place of a question, for one pattern and for all of a file. At this bound a pattern took 0.6 s on the worst question of 4,000 characters; usual ones take a few steps. */
const mostCost = { pattern: 20_000, file: 40_000 }

const isPattern = (text: string): boolean => {
  try {
    return new RegExp(text, 'iu') instanceof RegExp
  } catch {
    return false
  }
}

const tokensOf = (text: string): string[] => spans(text).map(({ token }) => token)

const Pattern = z
  .string()
  .min(1)
  .max(200)
  .refine(isPattern, { error: 'is no regular expression', abort: true })
  .refine(
    (text) => patternCost(text) <= mostCost.pattern,
    'could take too long on some question: bound what repeats, as .{0,40}, repeat nothing inside what repeats, and refer back to nothing',
  )

const When = z
  .strictObject({
    words: z
      .string()
      .max(200)
      .refine((text) => tokensOf(text).length > 0, 'has no word')
      .optional(),
    pattern: Pattern.optional(),
  })
  .refine(({ words, pattern }) => (words === undefined) !== (pattern === undefined), 'give words or a pattern')

const name = z.string().trim().min(1).max(80)
const Then = z
  .strictObject({
    collections: z.array(name).min(1).optional(),
    lookup: name.optional(),
    reply: z.string().trim().min(1).max(4_000).optional(),
    policy: name.optional(),
  })
  .refine((then) => Object.keys(then).length > 0, 'say what follows: collections, lookup, policy or reply')
  .refine(
    ({ reply, ...rest }) => reply === undefined || Object.keys(rest).length === 0,
    'a reply ends the run: nothing else goes with it',
  )

const Rule = z.strictObject({ name, when: When, then: Then, tenants: z.array(name).min(1).optional() })
type Declared = z.infer<typeof Rule>
type Question = { text: string; tokens: readonly string[] }
export type RoutingRule = Omit<Declared, 'when'> & { fits: (question: Question) => boolean }

const RoutesFile = z.strictObject({ rules: z.array(Rule).max(200) }).superRefine(({ rules }, context) => {
  const say = (message: string): void => context.addIssue({ code: 'custom', path: ['rules'], message })
  const names = rules.map((rule) => rule.name)
  names.filter((each, at) => names.indexOf(each) !== at).forEach((twice) => say(`two are called “${twice}”`))
  const work = rules.reduce((sum, { when }) => sum + (when.pattern === undefined ? 0 : patternCost(when.pattern)), 0)
  if (work > mostCost.file) say('their patterns could take too long together: bound what repeats more closely')
})

const fitting = ({ words, pattern = '' }: Declared['when']): RoutingRule['fits'] => {
  if (words === undefined) {
    const wanted = new RegExp(pattern, 'iu')
    return ({ text }) => wanted.test(text)
  }
  const wanted = tokensOf(words)
  return ({ tokens }) => tokens.some((_, at) => wanted.every((token, n) => tokens[at + n] === token))
}

/** What an operator declares in YAML or JSON; all faults at once. */
export const readRules = (file: string): RoutingRule[] =>
  readYaml(file, RoutesFile, (what, cause) => new Error(`${file} ${what}`, { cause })).rules.map(
    ({ when, ...rule }) => ({ ...rule, fits: fitting(when) }),
  )

/** `ROUTES_FILE`, as the router and the gateway read it; no rules where it is not set. */
export const RulesFromFile = z
  .string()
  .transform((file, context) => {
    try {
      return readRules(file)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
      return z.NEVER
    }
  })
  .default([])

type Asked = { tenant: string; question: string; collections: readonly string[] }

/** The first that fits decides. One that names collections fits nobody who may read none of them. */
export const ruleFor = (
  rules: readonly RoutingRule[],
  { tenant, question, collections }: Asked,
): RoutingRule | undefined => {
  const open = rules.filter(
    ({ tenants, then }) =>
      (tenants?.includes(tenant) ?? true) && (then.collections?.some((each) => collections.includes(each)) ?? true),
  )
  if (open.length === 0) return undefined
  const text = question.slice(0, longestQuestion)
  const asked = { text, tokens: tokensOf(text) }
  return open.find(({ fits }) => fits(asked))
}
