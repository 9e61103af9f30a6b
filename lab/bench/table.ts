export type Line = { what: string; figure: number; unit: string; bound?: { least?: number; most?: number } }

export const atLeast = (least: number): Pick<Line, 'bound'> => ({ bound: { least } })
export const atMost = (most: number): Pick<Line, 'bound'> => ({ bound: { most } })

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const holds = ({ figure, bound }: Line): boolean => {
  if (!bound || Number.isNaN(figure)) return true
  return figure >= (bound.least ?? -Infinity) && figure <= (bound.most ?? Infinity)
}

const digits = (figure: number): string =>
  Number.isNaN(figure) ? 'not here' : figure >= 100 ? figure.toFixed(0) : figure.toFixed(3)
const said = (line: Line): string => {
  if (!line.bound) return ''
  const { least, most } = line.bound
  return `${least === undefined ? `≤ ${most}` : `≥ ${least}`}${holds(line) ? '' : '   BROKEN'}`
}

/** Returns how many figures break their bound. */
export const printTable = (lines: Line[]): number => {
  const wide = Math.max(...lines.map(({ what }) => what.length))
  console.log('')
  for (const line of lines)
    console.log(
      `${line.what.padEnd(wide)}  ${`${digits(line.figure)}${Number.isNaN(line.figure) ? '' : line.unit}`.padStart(10)}  ${said(line)}`,
    )
  return lines.filter((line) => !holds(line)).length
}
