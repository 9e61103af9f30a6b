import { EndStatus, reasons } from '@plumbline/contracts'
import type { Policy } from '@plumbline/flow'
import { policies, taskMap } from '@plumbline/flow'
import type { Arrow } from './explore'
import { explore } from './explore'

const kinds = Object.keys(taskMap)
const isEnd = (to: string): boolean => EndStatus.safeParse(to).success
const order = [...kinds, ...EndStatus.options]
const byOrder = (a: Arrow, b: Arrow): number =>
  order.indexOf(a.from) - order.indexOf(b.from) || order.indexOf(a.to) - order.indexOf(b.to) || (a.says < b.says ? -1 : 1)

/** `end` is a word of the drawing's own language. */
const node = (name: string): string => (isEnd(name) ? `${name}([${name}])` : `${name}["${name}<br/><i>${stageOf(name)}</i>"]`)
const stageOf = (name: string): string => Object.entries(taskMap).find(([kind]) => kind === name)?.[1].stage ?? ''

const grouped = (arrows: Arrow[]): [string, Arrow[]][] => Object.entries(Object.groupBy(arrows, ({ from, to }) => `${from} ${to}`)) as [string, Arrow[]][]
const labels = (arrows: Arrow[]): string => [...new Set(arrows.map(({ says }) => says))].join('<br/>')

const edge = ([key, arrows]: [string, Arrow[]]): string => {
  const [from, to] = key.split(' ')
  const line = arrows.every(({ says }) => says === 'abandoned') ? '-.->' : '-->'
  return `  ${from} ${line}|"${labels(arrows)}"| ${to}`
}

const picture = (arrows: Arrow[]): string[] => {
  const drawn = arrows.filter(({ says, from }) => says !== 'cancelled' && (says !== 'expired' || from === 'review'))
  const names = order.filter((name) => drawn.some(({ from, to }) => from === name || to === name))
  return ['```mermaid', 'flowchart TD', ...names.map((name) => `  ${node(name)}`), ...grouped(drawn).map(edge), '```']
}

const endings = (arrows: Arrow[]): string[] => {
  const rows = Object.entries(reasons).flatMap(([reason, meaning]) => {
    const from = [...new Set(arrows.filter((arrow) => arrow.reason === reason).map((arrow) => arrow.from))]
    return from.length === 0 ? [] : [`| \`${reason}\` | ${from.length > 6 ? 'anywhere' : from.join(', ')} | ${meaning} |`]
  })
  return ['| reason | after | meaning |', '|---|---|---|', ...rows]
}

const section = (policy: Policy): string[] => {
  const arrows = explore(policy).toSorted(byOrder)
  return [`## ${policy.name}`, '', ...picture(arrows), '', 'How its runs end:', '', ...endings(arrows), '']
}

const intro = [
  '# The flow', '',
  'Drawn by `node tools/draw-flow/main.mjs` from what the core opens under each policy; a test fails when it is out of date. Do not edit.', '',
  'A box is a task with the stage that does it, an arrow what a report of that task opens or how it ends the run. Which of several arrows with one name is',
  'taken depends on the counters that are left and on whether web search is on. Dotted: a task that could not report. Left out: every run can be cancelled,',
  'and ends at its deadline; budgets end it too.', '',
]

const allReasons = ['## Every reason', '', '| reason | meaning |', '|---|---|', ...Object.entries(reasons).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`), '']

export const drawing = (): string => [...intro, ...Object.values(policies).flatMap(section), ...allReasons].join('\n')
