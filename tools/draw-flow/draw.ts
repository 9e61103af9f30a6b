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

const isRare = ({ says }: Arrow): boolean => says === 'refused' || says === 'checked offline'

/** The path of a policy, as a drawing, without what is rare and alike under all of them. */
export const drawingOf = (policy: Policy): string[] => picture(explored(policy).filter((arrow) => !isRare(arrow)))

const endings = (arrows: Arrow[]): string[] => {
  const rows = Object.entries(reasons).flatMap(([reason, meaning]) => {
    const told = arrows.filter(
      (arrow) => arrow.reason === reason && (arrow.says !== 'overspent' || reason.endsWith('.budget')),
    )
    const from = [...new Set(told.map((arrow) => arrow.from))]
    return from.length === 0
      ? []
      : [
          `| \`${reason}\` | ${from.length > 3 && reason.match(/^(?:cancelled|expired)|budget$/) ? 'anywhere' : from.join(', ')} | ${meaning} |`,
        ]
  })
  return ['| reason | after | meaning |', '|---|---|---|', ...rows]
}

/** The transition after a task that failed too often to report. */
const abandoned = (arrows: Arrow[]): string => {
  const lost = Object.entries(
    Object.groupBy(
      arrows.filter(({ says }) => says.startsWith('abandoned')),
      ({ from }) => from,
    ),
  )
  return `A task that cannot report leads on like this: ${lost.map(([from, to = []]) => `${from} to ${[...new Set(to.map((arrow) => arrow.to))].join(' or ')}`).join('; ')}.`
}

const section = (policy: Policy): string[] => {
  const arrows = explored(policy)
  return [
    `## ${policy.name}`,
    '',
    ...picture(arrows),
    '',
    abandoned(arrows),
    '',
    'How its runs end, and why they are held:',
    '',
    ...endings(arrows),
    '',
  ]
}

const intro = [
  '# The flow',
  '',
  'Drawn by `node tools/draw-flow/main.mjs` from what the core opens under each policy; a test fails when it is out of date. Do not edit.',
  '',
  'A box is a task with the stage that does it, an arrow what a report of that task opens or how it ends the run. Which of several arrows with one name is',
  'taken depends on the counters that are left, on whether web search is on, and on whether sensitive evidence stands in enough documents. Left out: every run can be',
  'cancelled, and ends at its deadline; budgets end it too. What each policy is for is told in [Policies](policies.md).',
  '',
]

const allReasons = [
  '## Every reason',
  '',
  '| reason | meaning |',
  '|---|---|',
  ...Object.entries(reasons).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`),
  '',
]

export const drawing = (): string => [...intro, ...Object.values(policies).flatMap(section), ...allReasons].join('\n')
