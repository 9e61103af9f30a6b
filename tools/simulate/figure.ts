export type Line = { name: string; colour: string; points: { x: number; y: number }[] }
export type Plot = { title: string; unit: string; lines: Line[]; bound?: { at: number; name: string } }

const width = 860
const height = 230
const left = 52
const right = 36
const top = 34
const bottom = 26
const ticks = 5

const niceStep = (most: number): number => {
  const rough = most / ticks
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5, 10].find((step) => step * power >= rough) ?? 10) * power
}
const text = (x: number, y: number, said: string, anchor = 'start', weight = 'normal'): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" font-weight="${weight}">${said}</text>`
const rule = (x1: number, y1: number, x2: number, y2: number, more = 'stroke="#ddd"'): string =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" ${more}/>`

const drawPlot = ({ title, unit, lines, bound }: Plot, offset: number): string[] => {
  const points = lines.flatMap((line) => line.points)
  const mostX = Math.max(...points.map(({ x }) => x))
  const step = niceStep(Math.max(bound?.at ?? 0, ...points.map(({ y }) => y)))
  const mostY = step * Math.ceil(Math.max(bound?.at ?? 0, ...points.map(({ y }) => y)) / step)
  const atX = (x: number): number => Math.round((left + (x / mostX) * (width - left - right)) * 10) / 10
  const atY = (y: number): number =>
    Math.round((offset + height - bottom - (y / mostY) * (height - top - bottom)) * 10) / 10
  const levels = Array.from({ length: Math.round(mostY / step) + 1 }, (_, n) => n * step)
  const minutes = Array.from({ length: Math.floor(mostX / 60) + 1 }, (_, n) => n)
  return [
    text(left, offset + 18, title, 'start', 'bold'),
    ...levels.flatMap((y) => [
      rule(left, atY(y), width - right, atY(y)),
      text(left - 6, atY(y) + 4, `${y}${unit}`, 'end'),
    ]),
    ...minutes.map((n) => text(atX(n * 60), offset + height - 8, `${n} min`, 'middle')),
    ...(bound
      ? [
          rule(left, atY(bound.at), width - right, atY(bound.at), 'stroke="#b00020" stroke-dasharray="5 4"'),
          text(width - right, atY(bound.at) - 5, bound.name, 'end'),
        ]
      : []),
    ...lines.map(
      (line) =>
        `<polyline fill="none" stroke="${line.colour}" stroke-width="1.8" points="${line.points.map(({ x, y }) => `${atX(x)},${atY(y)}`).join(' ')}"/>`,
    ),
    ...lines.flatMap((line, n) => [
      rule(
        left + 440 + n * 160,
        offset + 14,
        left + 460 + n * 160,
        offset + 14,
        `stroke="${line.colour}" stroke-width="3"`,
      ),
      text(left + 466 + n * 160, offset + 18, line.name),
    ]),
  ]
}

/** Plots one below the other, over the same time. */
export const drawFigure = (plots: Plot[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height * plots.length}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height * plots.length}" fill="#fff"/>`,
    ...plots.flatMap((plot, n) => drawPlot(plot, n * height)),
    '</svg>\n',
  ].join('\n')
