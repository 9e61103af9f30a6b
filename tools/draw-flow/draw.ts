import { EndStatus } from '@plumbline/contracts'
import { policies, taskMap, type Policy } from '@plumbline/flow'
import { explore, type Arrow } from './reachable-states'

const order = [...Object.keys(taskMap), ...EndStatus.options]
const stages = Object.fromEntries(Object.entries(taskMap).map(([kind, { stage }]) => [kind, stage]))
const node = (name: string): string =>
  name in stages ? `${name}["${name}<br/><i>${stages[name]}</i>"]` : `${name}([${name}])`

const byOrder = (a: Arrow, b: Arrow): number =>
  order.indexOf(a.from) - order.indexOf(b.from) ||
  order.indexOf(a.to) - order.indexOf(b.to) ||
  (a.says < b.says ? -1 : 1)

const label = ({ says }: Arrow): string =>
  says.endsWith(', next step') ? 'next step' : says.replace(', sensitive', '')

/** Merges arrows with the same start and end. Then merges arrows with the same start and the same label. */
const edges = (arrows: Arrow[]): string[] => {
  const ends = new Map<string, Set<string>>()
  for (const [, group] of Map.groupBy(arrows, ({ from, to }) => `${from} ${to}`)) {
    const [{ from, to }] = group as [Arrow]
    const begin = `  ${from} -->|"${[...new Set(group.map(label))].join('<br/>')}"| `
    ends.set(begin, (ends.get(begin) ?? new Set()).add(to))
  }
  return [...ends].map(([begin, all]) => begin + [...all].join(' & '))
}

const drawingOf = (policy: Policy): string => {
  const arrows = explore(policy).toSorted(byOrder)
  const nodes = order.filter((name) => arrows.some(({ from, to }) => from === name || to === name)).map(node)
  return ['```mermaid', 'flowchart TD', ...nodes.map((each) => `  ${each}`), ...edges(arrows), '```'].join('\n')
}

const introduction = [
  '# The flow',
  '',
  'These drawings show the path of a question (a run) under each policy. A box is a task, with the name of its stage. An arrow is',
  'a result of the task, which starts the next task or ends the run. If several arrows have the same name, the retries that are left,',
  'web search and sensitive evidence decide which of them applies.',
  '',
  'Some names of results are short: `stands` means that the draft passed its check, `made whole` that a follow-up was rewritten as a',
  'standalone question, and `nothing close` that no passage was close enough to quote.',
  '',
  'The drawings omit four kinds of events: cancelling, deadlines and budgets, which can end every run; a refusal by the gateway or a',
  'model; a check without a model, after which the draft is held; and tasks that fail too often to return a result. If possible, the',
  'run continues without such a result.',
  '',
  '[Policies](../understand/policies.md) says what each policy is for, and [Reasons](reasons.md) says how runs can end.',
  'This page is generated from the code by `node tools/draw-flow/main.mjs`. Do not edit it.',
  '',
]

export const flowPage = (): string => {
  const drawn = new Map<string, string>()
  const sections = Object.values(policies).flatMap((policy) => {
    const drawing = drawingOf(policy)
    const like = drawn.get(drawing)
    drawn.set(drawing, like ?? policy.name)
    return [
      `## ${policy.name}`,
      '',
      like === undefined ? drawing : `Its drawing is the same as that of [${like}](#${like}).`,
      '',
    ]
  })
  return [...introduction, ...sections].join('\n')
}
