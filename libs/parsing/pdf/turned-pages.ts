import type { ParsedPage } from '@llamaindex/liteparse'
import type { Rule, Rules } from './page'

export type PageRotation = 'clockwise' | 'anticlockwise' | 'none'
type PlacedBox = { x: number; y: number; width: number; height: number }

/** A text is slanted if its angle differs from every multiple of 90 degrees by more than this number of degrees. */
const slant = 5

export const turnOf = ({ textItems }: Pick<ParsedPage, 'textItems'>): PageRotation => {
  const near = (turn: number): number =>
    textItems
      .filter(({ rotation = 0 }) => Math.abs(((rotation - turn + 540) % 360) - 180) < slant)
      .reduce((letters, { text }) => letters + text.length, 0)
  const [level, down, up] = [near(0) + near(180), near(90), near(270)]
  if (down > level + up) return 'clockwise'
  return up > level + down ? 'anticlockwise' : 'none'
}

type Sizes = Pick<ParsedPage, 'width' | 'height'>

const turnedBox = <T extends PlacedBox>(box: T, { width, height }: Sizes, turn: PageRotation): T => ({
  ...box,
  ...(turn === 'clockwise' ? { x: box.y, y: width - box.x - box.width } : { x: height - box.y - box.height, y: box.x }),
  width: box.height,
  height: box.width,
})

export const upright = <T extends Pick<ParsedPage, 'width' | 'height' | 'textItems'>>(
  page: T,
  turn: PageRotation,
): T =>
  turn === 'none'
    ? page
    : {
        ...page,
        width: page.height,
        height: page.width,
        textItems: page.textItems.map((item) => ({
          ...turnedBox(item, page, turn),
          rotation: (item.rotation ?? 0) + (turn === 'clockwise' ? -90 : 90),
          ...(item.words && { words: item.words.map((word) => turnedBox(word, page, turn)) }),
        })),
      }

const mirrored = (rules: readonly Rule[], by: number): Rule[] => rules.map((rule) => ({ ...rule, at: by - rule.at }))
const reversed = (rules: readonly Rule[], by: number): Rule[] =>
  rules.map(({ at, from, to }) => ({ at, from: by - to, to: by - from }))

export const turnedRules = ({ across, down }: Rules, { width, height }: Sizes, turn: PageRotation): Rules => {
  if (turn === 'none') return { across, down }
  return turn === 'clockwise'
    ? { across: mirrored(down, width), down: reversed(across, width) }
    : { across: reversed(down, height), down: mirrored(across, height) }
}
