import { EndStatus, reasons } from '@plumbline/contracts'
import type { Policy } from '@plumbline/flow'
import { policies, taskMap } from '@plumbline/flow'
import type { Arrow } from './explore'
import { explore } from './explore'

const kinds = Object.keys(taskMap)
const isEnd = (to: string): boolean => EndStatus.safeParse(to).success
const order = [...kinds, ...EndStatus.options]
const byOrder = (a: Arrow, b: Arrow): number =>
  order.indexOf(a.from) - order.indexOf(b.from) ||
  order.indexOf(a.to) - order.indexOf(b.to) ||
  (a.says < b.says ? -1 : 1)

const stageOf = (name: string): string => Object.entries(taskMap).find(([kind]) => kind === name)?.[1].stage ?? ''
/** `end` is a word of the drawing's own language. */
const node = (name: string): string =>
  isEnd(name) ? `${name}([${name}])` : `${name}["${name}<br/><i>${stageOf(name)}</i>"]`

const grouped = (arrows: Arrow[]): [string, Arrow[]][] =>
  Object.entries(Object.groupBy(arrows, ({ from, to }) => `${from} ${to}`)) as [string, Arrow[]][]

/** Between steps only the transition matters, and sensitive evidence only if it changes the result. */
const label = ({ says }: Arrow): string =>
  says.endsWith(', next step') ? 'next step' : says.replace(', sensitive', '')
const labels = (arrows: Arrow[]): string => [...new Set(arrows.map(label))].join('<br/>')

const edge = ([key, arrows]: [string, Arrow[]]): string => {
  const [from, to] = key.split(' ')
  return `  ${from} -->|"${labels(arrows)}"| ${to}`
}

/** External events, and the end of tasks that cannot report, would hide the structure of a policy. */
const isReport = ({ says, from }: Arrow): boolean =>
  !['cancelled', 'overspent'].includes(says) &&
  !says.startsWith('abandoned') &&
  (says !== 'expired' || from === 'review')

const picture = (arrows: Arrow[]): string[] => {
  const drawn = arrows.filter(isReport)
  const names = order.filter((name) => drawn.some(({ from, to }) => from === name || to === name))
  return ['```mermaid', 'flowchart TD', ...names.map((name) => `  ${node(name)}`), ...grouped(drawn).map(edge), '```']
}

const known = new WeakMap<Policy, Arrow[]>()
const explored = (policy: Policy): Arrow[] => {
  const arrows = known.get(policy) ?? explore(policy).toSorted(byOrder)
  known.set(policy, arrows)
  return arrows
}

const isAnywhere = (reason: string, tasks: string[]): boolean =>
  tasks.length > 3 && /^(?:cancelled|expired)|budget$/.test(reason)

/** Returns the reasons that runs of a policy can have, each with the tasks that it follows. */
const reasonsOf = (arrows: Arrow[]): [string, string[]][] =>
  Object.keys(reasons).flatMap((reason): [string, string[]][] => {
    const told = arrows.filter(
      (arrow) => arrow.reason === reason && (arrow.says !== 'overspent' || reason.endsWith('.budget')),
    )
    const tasks = [...new Set(told.map(({ from }) => from))]
    return tasks.length === 0 ? [] : [[reason, tasks]]
  })

const code = (words: string[]): string => words.map((word) => `\`${word}\``).join(', ')

const endings = (arrows: Arrow[]): string[] => {
  const rows = reasonsOf(arrows).filter(([reason, tasks]) => !isAnywhere(reason, tasks))
  return kinds.flatMap((kind) => {
    const after = rows.flatMap(([reason, tasks]) => (tasks.includes(kind) ? [reason] : []))
    return after.length === 0 ? [] : [`| ${kind} | ${code(after)} |`]
  })
}

/** The transition after a task that failed too often to report. */
const abandoned = (arrows: Arrow[]): string => {
  const lost = Object.groupBy(
    arrows.filter(({ says }) => says.startsWith('abandoned')),
    ({ from }) => from,
  )
  const next = (to: Arrow[] = []): string => [...new Set(to.map((arrow) => arrow.to))].join(', ')
  return Object.entries(lost)
    .map(([from, to]) => `${from} → ${next(to)}`)
    .join('; ')
}

const drawingOf = (policy: Policy): string => picture(explored(policy)).join('\n')
/** Returns the drawing, or a link to an earlier policy that is drawn the same way. */
const drawn = (policy: Policy): string => {
  const all = Object.values(policies)
  const first = all.find((other) => drawingOf(other) === drawingOf(policy)) ?? policy
  return first === policy ? drawingOf(policy) : `It is drawn like [${first.name}](#${first.name}).`
}

const section = (policy: Policy): string[] => {
  const arrows = explored(policy)
  return [
    `## ${policy.name}`,
    '',
    drawn(policy),
    '',
    '| after | a run can end or be held as |',
    '|---|---|',
    ...endings(arrows),
    '',
    `Without a report: ${abandoned(arrows)}.`,
    '',
  ]
}

const intro = [
  '# The flow',
  '',
  'A box is a task with its stage. An arrow is a report of that task: it opens the next task or ends the run. Arrows with',
  'the same name differ by the counters that are left, by web search (on or off), and by sensitive evidence.',
  'A task that fails too often has no report; the last line of each policy says what follows then.',
  '',
  '[Policies](../understand/policies.md) says what each policy is for, [Reasons](reasons.md) what each reason means.',
  'Every run can also end as `cancelled.asked`, `expired.deadline` or `unanswered.budget`, at any point.',
  '',
  'This page is generated from the core by `node tools/draw-flow/main.mjs`. Do not edit it.',
  '',
]

export const flowPage = (): string => [...intro, ...Object.values(policies).flatMap(section)].join('\n')

const half = Object.keys(policies).length / 2
/** Returns the policies under which a run can have this reason, in few words. */
const policiesWith = (reason: string): string => {
  const all = Object.values(policies)
  const has = (policy: Policy): boolean => reasonsOf(explored(policy)).some(([other]) => other === reason)
  const names = (those: Policy[]): string => those.map(({ name }) => name).join(', ')
  const [those, others] = [all.filter(has), all.filter((policy) => !has(policy))]
  if (others.length === 0) return 'all'
  if (those.length === 0) return '–'
  return those.length > half ? `all but ${names(others)}` : names(those)
}

const reasonsIntro = [
  '# Reasons',
  '',
  'Every run has a `status`, and a `reason` that programs may switch on. A reason begins with its status. `queued` and',
  '`running` have none, and `parked` waits for a person. All others are final, and only `answered` has an answer to the question.',
  'Expect new reasons in later versions.',
  '',
  'The last column names the presets with this reason. A dash means: only by [rules](../understand/rules.md),',
  '[kept answers](../use/cases.md#keeping-an-answer) or [your own policy](../understand/policies.md#your-own).',
  '',
  'This page is generated from the core by `node tools/draw-flow/main.mjs`. Do not edit it.',
  '',
  '| reason | meaning | policies |',
  '|---|---|---|',
]

export const reasonsPage = (): string =>
  [
    ...reasonsIntro,
    ...Object.entries(reasons).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} | ${policiesWith(reason)} |`),
    '',
  ].join('\n')
