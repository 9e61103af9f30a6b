import type { VectorGraphics } from '@llamaindex/liteparse'
import type { Rule, Rules } from './page'

/** A filled box as thin as this is a drawn line. */
const thin = 2.6
const shortest = 4

type Span = { x1: number; y1: number; x2: number; y2: number }

const straight = ({ x1, y1, x2, y2 }: Span): Rules => {
  const wide = Math.abs(x2 - x1)
  const high = Math.abs(y2 - y1)
  if (high <= 1 && wide >= shortest)
    return { across: [{ at: (y1 + y2) / 2, from: Math.min(x1, x2), to: Math.max(x1, x2) }], down: [] }
  if (wide <= 1 && high >= shortest)
    return { across: [], down: [{ at: (x1 + x2) / 2, from: Math.min(y1, y2), to: Math.max(y1, y2) }] }
  return { across: [], down: [] }
}

const invisible = (color?: string): boolean =>
  color !== undefined && (/^00/.test(color) || /^fff[a-f]f[a-f]f[a-f]$/i.test(color))

type Shape = VectorGraphics['shapes'][number]

const thinShape = ({ bbox, fill, fillColor, hasCurve }: Shape): Span[] => {
  if (!fill || hasCurve || invisible(fillColor)) return []
  const { x, y, width, height } = bbox
  if (height <= thin && width > height) return [{ x1: x, x2: x + width, y1: y + height / 2, y2: y + height / 2 }]
  if (width <= thin && height > width) return [{ x1: x + width / 2, x2: x + width / 2, y1: y, y2: y + height }]
  return []
}

/** Pieces of one line drawn apart, or twice, as one. */
export const joinRules = (rules: readonly Rule[]): Rule[] => {
  const sorted = [...rules].sort((a, b) => a.at - b.at || a.from - b.from)
  const joined: Rule[] = []
  for (const rule of sorted) {
    const same = joined.find(
      ({ at, from, to }) => Math.abs(at - rule.at) <= 1.6 && rule.from <= to + 1.6 && rule.to >= from - 1.6,
    )
    if (same) Object.assign(same, { from: Math.min(same.from, rule.from), to: Math.max(same.to, rule.to) })
    else joined.push({ ...rule })
  }
  return joined
}

/** More lines than all tables of a page have: they are a drawing, in which none is looked for. */
const most = 3_000

/** The drawn lines of a page. The edges of a shaded area are none: a shade is not a border. */
export const rulesOf = (graphics?: VectorGraphics): Rules => {
  const none: Rules = { across: [], down: [] }
  if (!graphics) return none
  const stroked = graphics.lines.filter(({ stroke, strokeColor }) => stroke && !invisible(strokeColor))
  const all = [...stroked, ...graphics.shapes.flatMap(thinShape)].map(straight)
  const rules = {
    across: joinRules(all.flatMap(({ across }) => across)),
    down: joinRules(all.flatMap(({ down }) => down)),
  }
  return rules.across.length + rules.down.length > most ? none : rules
}
