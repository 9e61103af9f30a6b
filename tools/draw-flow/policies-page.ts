import { policies, Policy } from '@plumbline/flow'
import { z } from 'zod'
import { drawingOf } from './draw'
import { fieldMeanings } from './fields'
import { prose } from './prose'

type Field = keyof Policy
const fields = Object.keys(Policy.shape) as Field[]
const { standard } = policies as { standard: Policy }

const allowed = (field: Field): string => {
  const shape = Policy.shape[field]
  const schema = shape instanceof z.ZodOptional ? shape.unwrap() : shape
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => `\`${String(option)}\``).join(', ')
  if (schema instanceof z.ZodString) return 'a name'
  if (!(schema instanceof z.ZodNumber)) return '`tier`: `small`, `strong`; `temperature`: 0 to 2'
  const { minValue: least, maxValue: most } = schema
  return most !== null && most < Number.MAX_SAFE_INTEGER
    ? `${least} to ${most}`
    : `from ${schema.safeParse(least).success ? least : 1}`
}

const settings = (policy: Policy): [string, unknown][] => [
  ...fields
    .filter((field) => field !== 'name' && field !== 'skills')
    .map((field): [string, unknown] => [field, policy[field]]),
  ...Object.entries(policy.skills).map(([skill, { tier, temperature }]): [string, unknown] => [
    `skills.${skill}`,
    `${tier}, ${temperature}`,
  ]),
]

const differences = (policy: Policy): string[] => {
  const usual = new Map(settings(standard))
  const own = settings(policy).filter(([field, value]) => usual.get(field) !== value)
  if (own.length === 0) return ['The record: [`standard.ts`](../libs/flow/policy/standard.ts).']
  const told = own.map(([field, value]) => `\`${field}: ${String(value)}\``).join(', ')
  return [`Other than \`standard\` ([the records](../libs/flow/policy/presets.ts)): ${told}.`]
}

const section = (policy: Policy): string[] => {
  const told = prose[policy.name]
  if (!told) throw new Error(`The policy ${policy.name} has no words in tools/draw-flow/prose.ts.`)
  return [`## ${policy.name}`, '', told.for, '', told.path, '', ...drawingOf(policy), '', ...differences(policy), '']
}

const intro = `# Policies

A policy says how a run reacts: what comes first, what is tried again and how often, which thresholds hold, how it ends. It is a flat record of words and
numbers. There are no conditions in it and no transitions: those are the core's, which reads the record. A policy is chosen per ask (\`policy\`), by the collection
that is asked, or is \`standard\`. An ask may lower its counters with \`limits\`, never raise them.

Written by \`node tools/draw-flow/main.mjs\`, drawings and differences from the core itself; a test fails when it is out of date. Do not edit. [The flow](flow.md)
has every ending of every policy, and what is left out of the drawings here because it is rare and alike under all: refusals, and checks by the offline skill.

What holds under all of them: every statement of a draft is a claim, and a draft without one does not stand; one the documents contradict, or that tells one value where
another passage gives another, never goes out unmarked; a draft whose check was done by the offline skill because the checker was down is held; one that rests on sensitive
evidence from too few documents is held; a person's edit is checked again. Where no model writes, the closest places are quoted word for word, and need no claims.
Without evidence nothing is written: the run ends with what was searched and what came nearest. Where web search is off and a policy would use it, the run says
so, goes on with the evidence that passed, and takes the ending \`noWeb\` names where none did.

**What is weaker than holding is the operator's to give.** Only for tenants named in \`MARKED_ANSWERS\` (and in local mode without keys) a policy's own words count where it lets out
with a mark what did not pass. For all others the same policy runs with \`checkAnswer: on\`, \`parkBelow: 1\`, \`whenSpent: park\` (\`fallback\` stays), \`whenParkedTooLong: refuse\`,
\`streamDrafts: off\`, \`generalKnowledge: park\` for \`mark\`, and \`replies: fixed\`.
`

const own = `## Your own

Put a YAML or JSON file for each policy into a folder and name the folder in \`POLICIES_DIR\`. A policy has a name of its own, may extend another one, and overrides what is to be
different; without \`extends\` every field has to be there. Whatever is wrong in any file is told at start, all of it at once.

\`\`\`yaml
name: careful
extends: standard
strictness: strict
passLevel: medium
minRelevant: 2
maxWebSearches: 0
sensitiveSources: 3
skills:
  answer: { tier: strong, temperature: 0 }
\`\`\`

| field | what it decides | allowed | standard |
|---|---|---|---|`

const row = (field: Field): string =>
  `| \`${field}\` | ${fieldMeanings[field]} | ${allowed(field)} | ${field === 'skills' ? 'see its record' : String(standard[field])} |`

export const policiesPage = (): string =>
  [intro, ...Object.values(policies).flatMap(section), own, ...fields.map(row), ''].join('\n')
