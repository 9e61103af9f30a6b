import { z } from 'zod'
import { fromFile, readYaml } from '@plumbline/platform/yaml-file'
import { spans } from '@plumbline/knowledge/text'
import { longestQuestion, patternCost } from './pattern-cost'

/** Limits the cost of one pattern, and of all patterns in a file. At its limit, a pattern took up to 0.6 s to match. */
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
  .refine(isPattern, { error: 'is not a valid regular expression', abort: true })
  .refine(
    (text) => patternCost(text) <= mostCost.pattern,
    'matching this pattern could take too long on some questions: limit repetitions, for example to .{0,40}, do not nest repetitions, and use no back-references',
  )

const RuleCondition = z
  .strictObject({
    words: z
      .string()
      .max(200)
      .refine((text) => tokensOf(text).length > 0, 'contains no word: write at least one word')
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
  .refine((then) => Object.keys(then).length > 0, 'set an action: collections, lookup, policy or reply')
  .refine(
    ({ reply, ...rest }) => reply === undefined || Object.keys(rest).length === 0,
    'the action reply ends the run, so the other actions have no effect: remove them',
  )

const Rule = z.strictObject({ name, when: RuleCondition, then: Then, tenants: z.array(name).min(1).optional() })
type Declared = z.infer<typeof Rule>
type Question = { text: string; tokens: readonly string[] }
export type RoutingRule = Omit<Declared, 'when'> & { fits: (question: Question) => boolean }

const RoutesFile = z.strictObject({ rules: z.array(Rule).max(200) }).superRefine(({ rules }, context) => {
  const say = (message: string): void => context.addIssue({ code: 'custom', path: ['rules'], message })
  const names = rules.map((rule) => rule.name)
  names
    .filter((each, at) => names.indexOf(each) !== at)
    .forEach((twice) => say(`“${twice}” is the name of two rules: rename one of them`))
  const work = rules.reduce((sum, { when }) => sum + (when.pattern === undefined ? 0 : patternCost(when.pattern)), 0)
  if (work > mostCost.file)
    say('matching all of these patterns could take too long: use smaller repetition limits, such as {0,20}')
})

const fitting = ({ words, pattern = '' }: Declared['when']): RoutingRule['fits'] => {
  if (words === undefined) {
    const wanted = new RegExp(pattern, 'iu')
    return ({ text }) => wanted.test(text)
  }
  const wanted = tokensOf(words)
  return ({ tokens }) => tokens.some((_, at) => wanted.every((token, n) => tokens[at + n] === token))
}

export const readRules = (file: string): RoutingRule[] =>
  readYaml(file, RoutesFile, (what, cause) => new Error(`${file} ${what}`, { cause })).rules.map(
    ({ when, ...rule }) => ({ ...rule, fits: fitting(when) }),
  )

export const RulesFromFile = fromFile(readRules).default([])

type RoutingInput = { tenant: string; question: string; collections: readonly string[] }

export const ruleFor = (
  rules: readonly RoutingRule[],
  { tenant, question, collections }: RoutingInput,
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
