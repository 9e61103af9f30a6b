import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { TableHead } from '../ui/table'

export type ChartLine = {
  name: string
  /** The name of a color in base.css. */
  tone: 'accent' | 'good' | 'warn' | 'bad' | 'soft' | 'ink'
  dash?: number[]
  values: (number | null)[]
}

const wholeSteps = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8].flatMap((size) => [size, 2 * size, 5 * size])
const height = 150
const mostDots = 30
const day = 24 * 3_600_000

/** Returns the current value of a color in base.css, because a canvas cannot use CSS variables. */
const colourOf = (tone: string, element: HTMLElement): string => {
  const probe = element.appendChild(document.createElement('span'))
  probe.style.color = `var(--${tone})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const dark = matchMedia('(prefers-color-scheme: dark)')
const useIsDark = (): boolean => {
  const [isDark, setDark] = useState(dark.matches)
  useEffect(() => {
    const changed = (): void => setDark(dark.matches)
    dark.addEventListener('change', changed)
    return () => dark.removeEventListener('change', changed)
  }, [])
  return isDark
}

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hour12: false })
const date = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const dateAndTime = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
})
const isLong = (times: number[]): boolean => (times.at(-1) ?? 0) - (times[0] ?? 0) > day

type CanvasProps = {
  times: number[]
  lines: ChartLine[]
  format: (value: number) => string
  onHover: (at: number | null) => void
  onChoose?: (at: number) => void
}

const plot = (element: HTMLElement, { times, lines, format, onHover }: Omit<CanvasProps, 'onChoose'>): UPlot => {
  const timeText = (at: number): string => (isLong(times) ? date : clock).format(at)
  const [soft, grid] = [colourOf('soft', element), colourOf('line', element)]
  const isWhole = lines.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))
  const axis = { stroke: soft, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font: '11px system-ui' }
  return new UPlot(
    {
      width: Math.max(200, element.clientWidth),
      height,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
      scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } },
      series: [
        {},
        ...lines.map(({ name, tone, dash, values }) => ({
          label: name,
          stroke: colourOf(tone, element),
          width: 1.75,
          // Show points if there are gaps, because no line leads to a value between two gaps.
          points: { show: values.includes(null) || times.length <= mostDots, size: 4 },
          spanGaps: true,
          ...(dash && { dash }),
        })),
      ],
      axes: [
        { ...axis, space: 70, values: (_, splits) => splits.map((at) => timeText(at * 1_000)) },
        {
          ...axis,
          ...(isWhole && { incrs: wholeSteps }),
          size: 54,
          values: (_, splits) => splits.map((value) => format(value)),
        },
      ],
      hooks: { setCursor: [({ cursor: { idx } }) => onHover(idx ?? null)] },
    },
    [times.map((ms) => ms / 1_000), ...lines.map(({ values }) => values)],
    element,
  )
}

const Canvas = ({ times, lines, format, onHover, onChoose }: CanvasProps) => {
  const box = useRef<HTMLDivElement>(null)
  const isDark = useIsDark()
  const text = JSON.stringify([times, lines])
  useEffect(() => {
    const element = box.current
    if (!element) return
    const drawn = plot(element, { times, lines, format, onHover })
    const sized = new ResizeObserver(() => drawn.setSize({ width: Math.max(200, element.clientWidth), height }))
    sized.observe(element)
    const choose = (): void => {
      const { idx } = drawn.cursor
      if (typeof idx === 'number') onChoose?.(idx)
    }
    drawn.over.addEventListener('click', choose)
    return () => {
      sized.disconnect()
      drawn.destroy()
    }
    // The dependencies contain no functions, because every render creates new functions.
  }, [text, isDark])
  return <div className="chart" ref={box} />
}

const LineSample = ({ tone, dash }: ChartLine) => (
  <svg className={`sample ${tone}`} viewBox="0 0 18 8" aria-hidden="true">
    <path d="M0 4 H18" strokeDasharray={dash?.join(' ')} />
  </svg>
)

type ChartProps = {
  title: string
  times: number[]
  lines: ChartLine[]
  format: (value: number) => string
  onChoose?: (from: number) => void
  children?: ReactNode
}

const timeAt = (times: number[], n: number): string => (isLong(times) ? dateAndTime : clock).format(times[n])
const valueAt = (line: ChartLine, n: number, format: ChartProps['format']): string => {
  const its = line.values[n]
  return its === null || its === undefined ? '–' : format(its)
}

const FiguresTable = ({ title, times, lines, format }: ChartProps) => {
  const rows = [...times.keys()].reverse()
  return (
    <details className="small">
      <summary>Show as a table</summary>
      <div className="table figures" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
        <table>
          <TableHead columns={[['Start time'], ...lines.map(({ name }) => [name, 'number'] as const)]} />
          <tbody>
            {rows.map((n) => (
              <tr key={times[n]}>
                <th scope="row">{timeAt(times, n)}</th>
                {lines.map((line) => (
                  <td key={line.name} className="number">
                    {valueAt(line, n, format)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

/** Shows a chart and a table with the same values. Screen readers read the table, because they skip the canvas. */
export const Chart = ({ title, times, lines, format, onChoose, children }: ChartProps) => {
  const [at, setAt] = useState<number | null>(null)
  const id = useId()
  return (
    <section className="card figure" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="legend small" aria-hidden="true">
        {lines.map((line) => (
          <span key={line.name}>
            <LineSample {...line} /> {line.name} {at !== null && <b>{valueAt(line, at, format)}</b>}
          </span>
        ))}
        {at !== null && <span className="soft">{timeAt(times, at)}</span>}
      </div>
      <div aria-hidden="true">
        <Canvas
          times={times}
          lines={lines}
          format={format}
          onHover={setAt}
          {...(onChoose && { onChoose: (n: number) => onChoose(times[n] ?? 0) })}
        />
      </div>
      {children}
      <FiguresTable title={title} times={times} lines={lines} format={format} />
    </section>
  )
}
