import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawFigure, type Line, type Plot } from './figure'
import { oldestAfterTwoPolls, tooFew, play, scaler, scenarios, signalsFor, waitListOnly } from './scenarios'
import type { Sample } from './world'

export const docs = join(import.meta.dirname, '..', '..', 'docs')
const figureSeconds = 5
const bound = { at: 60, name: '60 s' }
const bursts = [500, 1_000, 2_000, 4_000, 8_000]
const mostPods = [5, 10, 20, 40]

const grouped = (samples: Sample[]): [number, Sample[]][] => [
  ...Map.groupBy(
    samples.filter(({ at }) => at % figureSeconds === 0),
    ({ at }) => at,
  ),
]
const line = (name: string, colour: string, samples: Sample[], of: (each: Sample[]) => number): Line => ({
  name,
  colour,
  points: grouped(samples).map(([x, each]) => ({ x, y: of(each) })),
})
const oldest = (each: Sample[]): number => Math.max(...each.map((one) => one.oldest))
const pods = (each: Sample[]): number => each.reduce((sum, one) => sum + one.pods, 0)

type Played = { good: Sample[]; bad: Sample[] }
const plotsOf = (name: string, { good, bad }: Played): Plot[] => [
  {
    title: `Oldest job: ${name}`,
    unit: ' s',
    bound,
    lines: [line('by the scaler', '#0b6e4f', good, oldest), line('by the `wait` list', '#c46210', bad, oldest)],
  },
  {
    title: 'Pods of all workers',
    unit: '',
    lines: [line('by the scaler', '#0b6e4f', good, pods), line('by the `wait` list', '#c46210', bad, pods)],
  },
]

const row = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`

/** How old the oldest job was at most after two looks, by signal and scenario. */
const table = (): string[] =>
  Object.values(scenarios).flatMap((scenario) => [
    row(scenario.name, 'oldest job', 'most pods', 'left after 10 min', 'fewer than what is under way needs'),
    '|---|---|---|---|---|',
    ...signalsFor(scenario).map((told) => {
      const samples = play(scenario, told)
      const last = samples.at(-1)?.at
      const left = samples.filter(({ at }) => at === last).reduce((sum, { waiting }) => sum + waiting, 0)
      const most = Math.max(...grouped(samples).map(([, each]) => pods(each)))
      const age = `${Math.round(oldestAfterTwoPolls(samples))} s`
      return row(told.name, age, most, left, `${tooFew(samples).length} s`)
    }),
    '',
  ])

const largest = (): string[] => [
  row('at most pods of a worker', ...mostPods),
  `|---|${mostPods.map(() => '---|').join('')}`,
  row(
    'asks at once whose oldest stays within 60 s',
    ...mostPods.map((max) => {
      const holds = (burst: number): boolean =>
        oldestAfterTwoPolls(play({ ...scenarios.asks, burst }, { ...scaler, max }, 240)) <= bound.at
      const tooMany = bursts.findIndex((burst) => !holds(burst))
      return bursts.at(tooMany < 0 ? -1 : tooMany - 1)?.toLocaleString('en') ?? ''
    }),
  ),
]

const between = (page: string, drawn: string): string =>
  page.replace(/(<!-- drawn -->\n)[\s\S]*?(\n<!-- end -->)/, (_, from: string, to: string) => `${from}\n${drawn}${to}`)

/** Returns the figures of docs/scaling.md, and the page with updated tables. */
export const pages = (): Record<string, string> => {
  const figures = Object.entries(scenarios).map(([key, scenario]) => {
    const played = { good: play(scenario, scaler), bad: play(scenario, waitListOnly) }
    return [`scaling/${key}.svg`, drawFigure(plotsOf(scenario.name, played))] as const
  })
  const pictures = Object.entries(scenarios).map(([key, { name }]) => `![${name}](scaling/${key}.svg)\n`)
  const drawn = [...table(), ...pictures, ...largest(), ''].join('\n')
  return {
    ...Object.fromEntries(figures),
    'scaling.md': between(readFileSync(join(docs, 'scaling.md'), 'utf8'), drawn),
  }
}
