import { EndStatus, reasons } from '@plumbline/contracts'
import type { Policy } from '@plumbline/flow'
import { policies, taskMap } from '@plumbline/flow'
import type { Arrow } from './reachable-states'
import { explore } from './reachable-states'

const kinds = Object.keys(taskMap)
const isEnd = (to: string): boolean => EndStatus.safeParse(to).success
const order = [...kinds, ...EndStatus.options]
const byOrder = (a: Arrow, b: Arrow): number =>
  order.indexOf(a.from) - order.indexOf(b.from) ||
  order.indexOf(a.to) - order.indexOf(b.to) ||
  (a.says < b.says ? -1 : 1)

const stageOf = (name: string): string => Object.entries(taskMap).find(([kind]) => kind === name)?.[1].stage ?? ''
const node = (name: string): string =>
  isEnd(name) ? `${name}([${name}])` : `${name}["${name}<br/><i>${stageOf(name)}</i>"]`

const label = ({ says }: Arrow): string =>
  says.endsWith(', next step') ? 'next step' : says.replace(', sensitive', '')
const labels = (arrows: Arrow[]): string => [...new Set(arrows.map(label))].join('<br/>')

const groups = <T>(all: T[], keyOf: (each: T) => string): [T, ...T[]][] =>
  [...Map.groupBy(all, keyOf).values()].map((group) => group as [T, ...T[]])

const edges = (arrows: Arrow[]): string[] => {
  const pairs = groups(arrows, ({ from, to }) => `${from} ${to}`).map((group) => {
    const [{ from, to }] = group
    return { from, to, says: labels(group) }
  })
  return groups(pairs, ({ from, says }) => `${from} ${says}`).map((group) => {
    const [{ from, says }] = group
    return `  ${from} -->|"${says}"| ${group.map(({ to }) => to).join(' & ')}`
  })
}

/** External events and abandoned tasks would hide the structure of a policy. */
const isReport = ({ says, from }: Arrow): boolean =>
  !['cancelled', 'overspent', 'refused', 'checked offline'].includes(says) &&
  !says.startsWith('abandoned') &&
  (says !== 'expired' || from === 'review')

const picture = (arrows: Arrow[]): string[] => {
  const drawn = arrows.filter(isReport)
  const names = order.filter((name) => drawn.some(({ from, to }) => from === name || to === name))
  return ['```mermaid', 'flowchart TD', ...names.map((name) => `  ${node(name)}`), ...edges(drawn), '```']
}

const known = new WeakMap<Policy, Arrow[]>()
const explored = (policy: Policy): Arrow[] => {
  const arrows = known.get(policy) ?? explore(policy).toSorted(byOrder)
  known.set(policy, arrows)
  return arrows
}

const drawingOf = (policy: Policy): string => picture(explored(policy)).join('\n')
const drawn = (policy: Policy): string => {
  const all = Object.values(policies)
  const first = all.find((other) => drawingOf(other) === drawingOf(policy)) ?? policy
  return first === policy ? drawingOf(policy) : `It is drawn like [${first.name}](#${first.name}).`
}

const section = (policy: Policy): string[] => [`## ${policy.name}`, '', drawn(policy), '']

const intro = [
  '# The flow',
  '',
  'A box is a task with its stage. An arrow is a report of that task: it opens the next task or ends the run. Several arrows can',
  'have one name: the counters that are left, web search and sensitive evidence decide between them.',
  'Not drawn: cancelling, deadlines and budgets, which can end every run; a refusal by the gateway or a model; a check by the',
  'offline skill, after which the draft is held; and tasks that fail too often to report. The run continues without these if it can.',
  '',
  '[Policies](../understand/policies.md) says what each policy is for, [Reasons](reasons.md) how runs can end.',
  'This page is generated from the core by `node tools/draw-flow/main.mjs`. Do not edit it.',
  '',
]

export const flowPage = (): string => [...intro, ...Object.values(policies).flatMap(section)].join('\n')

const reasonsIntro = [
  '# Reasons',
  '',
  'Every run has a `status`, and a `reason` that begins with it and that programs may switch on. `queued` and `running` have no',
  'reason, `parked` waits for a person, and all others are final. Only `answered` has an answer to the question.',
  'Expect new reasons in later versions.',
  '',
  'This page is generated from the core by `node tools/draw-flow/main.mjs`. Do not edit it.',
  '',
]

export const reasonsPage = (): string => {
  const byStatus = Map.groupBy(Object.entries(reasons), ([reason]) => reason.split('.')[0])
  const lists = [...byStatus].flatMap(([status, list]) => [
    `## ${status}`,
    '',
    ...list.map(([reason, meaning]) => `- \`${reason}\`: ${meaning}`),
    '',
  ])
  return [...reasonsIntro, ...lists].join('\n')
}
